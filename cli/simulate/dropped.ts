/** Tells a person what a simulator let go for its limits: now and then while it happens, and all of it at the end. */
import { droppedOf, type Dropped, type Simulator } from '../../simulator/index.ts'
import { every } from '../../simulator/tenant/machine-time.ts'
import type { Io } from '../io.ts'

const minuteMs = 60_000

/** Such as `1,200 journal entries, 3 buttons`; nothing for nothing. */
export const listed = (dropped: Dropped): string =>
  Object.entries(dropped)
    .map(([name, count]) => `${count.toLocaleString('en')} ${name}`)
    .join(', ')

/** Call the result for the last line. */
export function tellDropped(simulator: Pick<Simulator, 'tenants'>, io: Pick<Io, 'err'>): () => void {
  let told = ''
  const tell = (): void => {
    const now = listed(droppedOf(simulator.tenants.map(({ state }) => state)))
    if (now !== told && now !== '') io.err(`dropped for their limits so far: ${now}\n`)
    told = now
  }
  const stop = every(minuteMs, tell)
  return () => {
    stop()
    tell()
  }
}
