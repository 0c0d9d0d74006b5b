/** Shares jobs among processes: each does one at a time, in the order in which they stand. */
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Answer } from './child.ts'
import type { Job, Result } from './jobs.ts'

const child = fileURLToPath(new URL('./child.ts', import.meta.url))

/** Rejects with the first job that failed, once what was under way has ended. */
export async function share(
  jobs: readonly Job[],
  processes: number,
  onResult: (result: Result) => void,
): Promise<void> {
  const left = jobs.values()
  let failed = false
  const work = async (): Promise<void> => {
    const worker = fork(child)
    try {
      for (const job of left) {
        if (failed) return
        onResult(await ask(worker, job))
      }
    } catch (thrown) {
      failed = true
      throw thrown
    } finally {
      worker.kill()
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: processes }, work))
  for (const end of ended) if (end.status === 'rejected') throw end.reason
}

function ask(worker: ChildProcess, job: Job): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  const gone = (code: number | null): void =>
    reject(new Error(`the process of ${JSON.stringify(job)} ended with ${code}; run it again`))
  const answered = (answer: Answer): void => {
    worker.off('exit', gone)
    if ('done' in answer) resolve(answer.done)
    else reject(new Error(`${JSON.stringify(job)} failed: ${answer.failed}`))
  }
  worker.once('exit', gone)
  worker.once('message', answered)
  worker.send(job)
  return promise
}
