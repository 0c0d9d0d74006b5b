/** A process that tells what it is asked to. */
import { tell, type Job, type Red } from './telling.ts'

export interface Question {
  readonly number: number
  readonly job: Job
}
export type Answer = { readonly number: number } & (
  | { readonly red: readonly Red[] }
  | { readonly threw: string }
)

process.on('message', (question: Question) => void answer(question))
process.on('disconnect', () => process.exit())

async function answer({ number, job }: Question): Promise<void> {
  const said = await tell(job).then(
    (red): Answer => ({ number, red }),
    (error: unknown): Answer => ({
      number,
      threw: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }),
  )
  process.send?.(said)
}
