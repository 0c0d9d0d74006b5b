/** Runs what can be called off, and calls it off when its time is up or the run ends. */
import type { Clock } from '../../../wire/clock.ts'

interface Deadline {
  clock: Clock
  seconds: number
  signal?: AbortSignal | undefined
}

/** `work` has to reject with the reason of the signal that it is given. */
export async function withDeadline<T>(
  { clock, seconds, signal }: Deadline,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const done = new AbortController()
  const end = (): void => stop.abort(new Error('was broken off, because the run ends'))
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  void clock.sleep(seconds * 1000, done.signal).then(() => {
    if (!done.signal.aborted) stop.abort(new Error(`took longer than ${seconds} s and was broken off`))
  })
  try {
    return await work(stop.signal)
  } finally {
    done.abort()
    signal?.removeEventListener('abort', end)
  }
}
