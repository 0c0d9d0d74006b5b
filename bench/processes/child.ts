/** A child process of a benchmark, with its own event loop. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { compiledFile } from './compiled.ts'

export interface Child<T> {
  /** The first message of the child. */
  ready: T
  /** Sends a message and resolves with the reply; one at a time. Rejects if the child exits first. */
  request: (question: string | object) => Promise<unknown>
  stop: () => Promise<void>
}

/** Starts a compiled source such as `bench/processes/load-child.ts` and waits for its first message. */
export async function startChild<T>(source: string, ...args: readonly string[]): Promise<Child<T>> {
  const child = fork(compiledFile(source), args)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const early = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`${source} ended early, with exit code ${code}`)))
  })
  early.catch(() => undefined)
  const nextMessage = async (): Promise<unknown> =>
    ((await Promise.race([once(child, 'message'), early])) as [unknown])[0]
  const ready = (await nextMessage()) as T
  return {
    ready,
    async request(question) {
      const answer = nextMessage()
      child.send(question)
      return answer
    },
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
