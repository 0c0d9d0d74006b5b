/** The one place of time: everything else in the suites takes its time from a clock that is handed in. */
import { performance } from 'node:perf_hooks'

export interface Clock {
  /** Milliseconds since the run began: monotonic, to the microsecond. */
  now(): number
  /** Resolves once the time has passed or the signal fires, whichever is first; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** The time of day, ISO 8601, UTC. */
  wall(): string
}

/** The clock, of which no sleep goes on after `deadline`. */
export function sleepingUntil(deadline: number, clock: Clock): Clock {
  return { ...clock, sleep: (ms, signal) => clock.sleep(Math.min(ms, deadline - clock.now()), signal) }
}

/**
 * Resolves once so much time has passed in which this process ran. After a pause without a processor timers fire before
 * sockets are read: such a slice counts half, so that what was received meanwhile is read before the end.
 */
export async function sleepAwake(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  for (let left = ms; left > 1 && !signal.aborted;) {
    const [slice, began] = [Math.min(left, ms / 20), clock.now()]
    await clock.sleep(slice, signal)
    const slept = clock.now() - began
    left -= slept > 2 * slice ? slice / 2 : slept
  }
}

export interface StallWatch {
  /** Whether this process had no processor for long, since or shortly before then. */
  since(at: number): boolean
  stop(): void
}

/** Half of the shortest wait of a sender that is no failure. */
const longStallMs = 3_000

export function watchStalls(clock: Clock): StallWatch {
  const over = new AbortController()
  const tickMs = longStallMs / 6
  let until = Number.NEGATIVE_INFINITY
  async function watch(): Promise<void> {
    for (let before = clock.now(); !over.signal.aborted; before = clock.now()) {
      await clock.sleep(tickMs, over.signal)
      if (clock.now() - before > longStallMs) until = clock.now()
    }
  }
  void watch()
  return { since: (at) => until >= at - tickMs, stop: () => over.abort('over') }
}

/** Milliseconds since some moment, and timers with a way to forget them. */
export interface TimeSource {
  elapsed: () => number
  after: (ms: number, run: () => void) => () => void
}

const machine: TimeSource = {
  elapsed: () => performance.now(),
  after(ms, run) {
    // oxlint-disable-next-line no-restricted-globals -- this is where real time enters the suites
    const timer = setTimeout(run, Math.max(0, ms))
    return () => clearTimeout(timer)
  },
}

/** The run begins when it is made. */
export function realClock({ elapsed, after }: TimeSource = machine): Clock {
  const began = elapsed()
  return {
    now: () => Math.round((elapsed() - began) * 1000) / 1000,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const wake = (): void => {
          forget()
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const forget = after(ms, wake)
        signal?.addEventListener('abort', wake, { once: true })
      }),
    wall: () => new Date().toISOString(),
  }
}
