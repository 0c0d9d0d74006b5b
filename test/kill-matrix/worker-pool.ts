/** Worker processes that run jobs. A run mostly waits, so each process runs several at a time. */
import { fork, type ChildProcess } from 'node:child_process'
import type { Job, Red } from './run-job.ts'
import type { JobResult, JobRequest } from './worker.ts'

const processes = 2
const atOnce = 10

export interface WorkerPool {
  /** Rejects with the error of a run, or if a process exits. */
  run(job: Job): Promise<readonly Red[]>
  close(): void
}

interface PendingJob {
  resolve(red: readonly Red[]): void
  reject(error: Error): void
}

export function createWorkerPool(): WorkerPool {
  const waiting: (JobRequest & PendingJob)[] = []
  const workers = Array.from({ length: processes }, () => startWorker(waiting))
  let count = 0
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        waiting.push({ number: ++count, job, resolve, reject })
        for (const member of workers) member.next()
      }),
    close: () => workers.forEach(({ child }) => child.disconnect()),
  }
}

function startWorker(waiting: (JobRequest & PendingJob)[]): { child: ChildProcess; next: () => void } {
  const child = fork(new URL('worker.ts', import.meta.url))
  const pending = new Map<number, PendingJob>()
  const next = (): void => {
    while (pending.size < atOnce) {
      const question = waiting.shift()
      if (!question) return
      pending.set(question.number, question)
      child.send({ number: question.number, job: question.job })
    }
  }
  child.on('message', (answer: JobResult) => {
    const one = pending.get(answer.number)
    pending.delete(answer.number)
    if ('red' in answer) one?.resolve(answer.red)
    else one?.reject(new Error(answer.threw))
    next()
  })
  child.on('exit', (code) => {
    for (const one of pending.values()) one.reject(new Error(`a worker process exited with code ${code}`))
  })
  return { child, next }
}
