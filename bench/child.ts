/** A part of a bench in a process of its own, so that it does not share our event loop. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { built } from './built.ts'

export interface Child<T> {
  /** What it said once it was ready. */
  ready: T
  /** Sends it a message and gives what it sends back. One at a time; throws when it ends instead. */
  ask: (question: string | object) => Promise<unknown>
  stop: () => Promise<void>
}

/** Starts a source such as `bench/load-child.ts`, compiled; it has to send one message when it is ready. */
export async function startChild<T>(source: string, ...args: readonly string[]): Promise<Child<T>> {
  const child = fork(built(source), args)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const early = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`${source} ended early, with exit code ${code}`)))
  })
  early.catch(() => undefined)
  const heard = async (): Promise<unknown> =>
    ((await Promise.race([once(child, 'message'), early])) as [unknown])[0]
  const ready = (await heard()) as T
  return {
    ready,
    async ask(question) {
      const answer = heard()
      child.send(question)
      return answer
    },
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
