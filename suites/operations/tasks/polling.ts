/** Looking again until something has come about: soon at first, then less and less often, on the target's clock. */
import type { Driver } from '../../scenario/driver.ts'

/** Milliseconds between one look and the next, before the scale of the target. */
export const patience = {
  /** For what is done already and only has to show: about 4 seconds. */
  short: [100, 250, 650, 1_000, 2_000],
  /** For work that goes on by itself: about a minute. */
  long: [100, 250, 650, 1_000, 2_000, 6_000, 20_000, 30_000],
} as const

/** How often is looked at the most. */
export const looks = { short: patience.short.length + 1, long: patience.long.length + 1 } as const

/** The last look: the first that is enough, or the one after which timeout was out. */
export async function lookUntil<T>(
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
