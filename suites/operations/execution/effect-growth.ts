/** Measures by how much an effect grew during a scenario: it may appear late, and others may cause it too. */
import type { Driver } from '../../scenario/scenario.ts'
import { unrest } from '../assertions/done-once.ts'
import { mostPolls, pollUntil, pollIntervals } from '../tasks/polling.ts'

/** Milliseconds, before the scale of the target, within which earlier effects have to appear. */
const calmMs = 2_000

export const mostGrowthReads = 5 + mostPolls.short

/** Writes a note with the name of each part, for the judgements on a count; none if nothing can be counted. */
export async function measureGrowth(
  t: Pick<Driver, 'settle' | 'note'>,
  count: () => Promise<number | null>,
  parts: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<void> {
  const later = async (seen: number): Promise<number> => {
    await t.settle(calmMs)
    return (await count()) ?? seen
  }
  const first = await count()
  let before = first ?? 0
  if (first !== null) {
    const calm = await later(first)
    // An effect of an earlier scenario may appear late: a single change is accepted.
    before = calm === first ? calm : await later(calm)
    t.note(unrest, before !== calm)
  }
  for (const [name, part] of Object.entries(parts)) {
    await part()
    if (first === null) continue
    const shows = (seen: number | null) => seen === null || seen > before
    // By then a second effect has appeared, too, if there is one.
    let after = await later(before)
    if (!shows(after)) after = await later((await pollUntil(t, pollIntervals.short, count, shows)) ?? before)
    t.note(name, after - before)
    before = after
  }
}
