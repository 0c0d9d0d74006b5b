/** The thread of a command over a long run. What it prints is printed by the process, once the command has ended. */
import { parentPort, workerData } from 'node:worker_threads'
import { main } from '../main.ts'
import type { Io } from '../io.ts'

export interface BoundedWork extends Pick<Io, 'width' | 'colour'> {
  readonly argv: readonly string[]
}

/** What is printed, or, at the end, the exit code. */
export interface ThreadMessage {
  readonly to: 'out' | 'err' | 'end'
  readonly text: string
}

const say =
  (to: ThreadMessage['to']) =>
  (text: string): void =>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    parentPort?.postMessage({ to, text } satisfies ThreadMessage)

/** Returns the exit code; null where this is the process itself. */
export async function runInThread(): Promise<number | null> {
  if (parentPort === null) return null
  const { argv, width, colour } = workerData as BoundedWork
  const code = await main(argv, {
    out: say('out'),
    err: say('err'),
    env: process.env,
    width,
    colour,
    live: false,
    now: () => performance.now(),
    question: null,
    // A signal ends the process, and this with it.
    stopped: new AbortController().signal,
    signals: () => () => undefined,
  })
  say('end')(`${code}`)
  return code
}
