/** A clock of the suite that goes several times as fast as the machine's. */
import { realClock, type Clock } from '../suites/index.ts'

export function hurriedClock(factor: number): Clock {
  const real = realClock()
  return {
    now: () => real.now() * factor,
    sleep: (ms, signal) => real.sleep(ms / factor, signal),
    wall: () => real.wall(),
  }
}
