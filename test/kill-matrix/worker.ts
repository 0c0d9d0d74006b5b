/** A worker process of the kill matrix. */
import { runJob, type Job, type Red } from './run-job.ts'

export interface JobRequest {
  readonly number: number
  readonly job: Job
}
export type JobResult = { readonly number: number } & (
  | { readonly red: readonly Red[] }
  | { readonly threw: string }
)

process.on('message', (request: JobRequest) => void execute(request))
process.on('disconnect', () => process.exit())

/** A job that takes longer probably waits in real time for something that the simulated clock should trigger. */
const longMs = 25_000

async function execute({ number, job }: JobRequest): Promise<void> {
  const began = performance.now()
  const result = await runJob(job).then(
    (red): JobResult => ({ number, red }),
    (error: unknown): JobResult => ({
      number,
      threw: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }),
  )
  process.send?.(result)
  const ms = performance.now() - began
  if (ms > longMs)
    console.error(`${job.faults.length} faults took ${Math.round(ms / 1000)} s: ${job.faults[0]} …`)
}
