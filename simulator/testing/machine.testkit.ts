/** A machine whose time a test moves: nothing waits, and its date can be set as by somebody at a keyboard. */
import type { MachineTime } from '../clock/machine-time.ts'

export interface Machine extends MachineTime {
  /** Time passes, and what is due in it runs on time. */
  pass(ms: number): void
  /** Time passes in which nothing runs; what was due in it is late, and runs at its end. */
  stop(ms: number): void
  /** Moves the date, ahead or back; no time passes. */
  setDate(byMs: number): void
}

interface Waiting {
  readonly due: number
  readonly run: () => void
}

export function createMachine(): Machine {
  const waiting = new Set<Waiting>()
  let elapsed = 0
  let setBy = Date.UTC(2031, 5, 1)
  const nextBy = (moment: number): Waiting | undefined =>
    [...waiting].filter(({ due }) => due <= moment).sort((one, other) => one.due - other.due)[0]
  const runDue = (until: number): void => {
    for (let next = nextBy(until); next; next = nextBy(until)) {
      waiting.delete(next)
      elapsed = Math.max(elapsed, next.due)
      next.run()
    }
  }
  const after: MachineTime['after'] = (ms, run) => {
    const one = { due: elapsed + ms, run }
    waiting.add(one)
    return () => void waiting.delete(one)
  }
  return {
    now: () => setBy + elapsed,
    elapsed: () => elapsed,
    after,
    afterAwake: after,
    pass: (ms) => {
      const until = elapsed + ms
      runDue(until)
      elapsed = until
    },
    stop: (ms) => {
      elapsed += ms
      runDue(elapsed)
    },
    setDate: (byMs) => void (setBy += byMs),
  }
}
