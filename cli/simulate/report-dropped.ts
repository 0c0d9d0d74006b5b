/** Prints what a simulator evicted because of its limits, every minute and at the end. */
import { droppedOf, type Dropped, type Simulator } from '../../simulator/index.ts'
import { everyRealTime } from '../../simulator/tenant/clock/machine-time.ts'
import type { Io } from '../io.ts'

const minuteMs = 60_000

/** Such as `1,200 journal entries, 3 buttons`; empty if nothing was evicted. */
export const droppedText = (dropped: Dropped): string =>
  Object.entries(dropped)
    .map(([name, count]) => `${count.toLocaleString('en')} ${name}`)
    .join(', ')

/** The returned function prints the last line and stops. */
export function reportDropped(simulator: Pick<Simulator, 'tenants'>, io: Pick<Io, 'err'>): () => void {
  let printed = ''
  const print = (): void => {
    const now = droppedText(droppedOf(simulator.tenants.map(({ state }) => state)))
    if (now !== printed && now !== '') io.err(`evicted by limits so far: ${now}\n`)
    printed = now
  }
  const stop = everyRealTime(minuteMs, print)
  return () => {
    stop()
    print()
  }
}
