/** Measures by how much an effect grew during a scenario: it may appear late, and others may cause it too. */
import type { Driver } from '../../scenario/scenario.ts'
import { growth, unrest } from '../assertions/done-once.ts'
import { mostPolls, pollUntil, pollIntervals } from '../tasks/polling.ts'

/** Milliseconds, before the scale of the target, within which earlier effects have to appear. */
const calmMs = 2_000

export const mostGrowthReads = 4 + mostPolls.short

/** Writes the notes that judgements on a count read; none if nothing can be counted. */
export async function measureGrowth(
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
  // An effect of an earlier scenario may appear late: a single change is accepted.
  const before = calm === earlier ? calm : await later(calm)
  t.note(unrest, before !== calm)
  await between()
  const shows = (seen: number | null) => seen === null || seen > before
  const once = await pollUntil(t, pollIntervals.short, count, shows)
  // A second effect may appear a little later.
  t.note(growth, (await later(once ?? before)) - before)
}
