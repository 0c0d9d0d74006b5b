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

/** In milliseconds; a job that takes longer waits for something that the clock of the simulator should bring about. */
const long = 25_000

async function answer({ number, job }: Question): Promise<void> {
  const began = performance.now()
  const said = await tell(job).then(
    (red): Answer => ({ number, red }),
    (error: unknown): Answer => ({
      number,
      threw: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }),
  )
  process.send?.(said)
  const took = performance.now() - began
  if (took > long)
    console.error(`${job.faults.join(' ')} took ${Math.round(took / 1000)} s: ${job.scenarios.join(' ')}`)
}
