/** By how much the effect of something grew while a scenario went on: it may show late, and others may do the same. */
import type { Driver } from '../../scenario/driver.ts'
import { growth, unrest } from '../assertions/done-once.ts'
import { looks, lookUntil, patience } from '../tasks/polling.ts'

/** Milliseconds, before the scale of the target, in which what was done before the scenario has to show. */
const calmMs = 2_000

/** The most looks at an effect. */
export const tallyLooks = 4 + looks.short

/** Leaves the notes that judgements on a count read; none where nothing can be counted. */
export async function tally(
  t: Pick<Driver, 'settle' | 'note'>,
  count: () => Promise<number | null>,
  between: () => Promise<unknown>,
): Promise<void> {
  const earlier = await count()
  if (earlier === null) return void (await between())
  const later = async (seen: number): Promise<number> => {
    await t.settle(calmMs)
    return (await count()) ?? seen
  }
  const calm = await later(earlier)
  // What another scenario did last may only show now: one change is not unrest.
  const before = calm === earlier ? calm : await later(calm)
  t.note(unrest, before !== calm)
  await between()
  const shows = (seen: number | null) => seen === null || seen > before
  const once = await lookUntil(t, patience.short, count, shows)
  // One that is done twice may show the second time a little later.
  t.note(growth, (await later(once ?? before)) - before)
}
