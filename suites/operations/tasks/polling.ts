/** Polling with increasing intervals on the target's clock. */
import type { Driver } from '../../scenario/scenario.ts'

/** Milliseconds between two polls, before the scale of the target. */
export const pollIntervals = {
  /** For completed work that only has to appear: about 4 seconds. */
  short: [100, 250, 650, 1_000, 2_000],
  /** For work that continues by itself: about a minute. */
  long: [100, 250, 650, 1_000, 2_000, 6_000, 20_000, 30_000],
} as const

export const mostPolls = {
  short: pollIntervals.short.length + 1,
  long: pollIntervals.long.length + 1,
} as const

/** Returns the first result that is sufficient, or the last one before the timeout. */
export async function pollUntil<T>(
  t: Pick<Driver, 'settle'>,
  gaps: readonly number[],
  look: () => Promise<T>,
  isEnough: (seen: T) => boolean,
): Promise<T> {
  let seen = await look()
  for (const gap of gaps) {
    if (isEnough(seen)) break
    await t.settle(gap)
    seen = await look()
  }
  return seen
}
