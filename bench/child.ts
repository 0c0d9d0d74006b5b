/** A part of a bench in a process of its own, so that it does not share our event loop. */
import { fork } from 'node:child_process'

export interface Child<T> {
  /** What it said once it was ready. */
  ready: T
  stop: () => Promise<void>
}

/** Starts a file, which has to send one message when it is ready. */
export function startChild<T>(file: URL, ...args: readonly string[]): Promise<Child<T>> {
  const child = fork(file, args)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  return new Promise((resolve, reject) => {
    child.once('message', (ready) => resolve({ ready: ready as T, stop }))
    child.once('exit', (code) =>
      reject(new Error(`${file.pathname} ended with exit code ${code} before it was ready`)),
    )
  })
}
