/** By how much the effect of something grew while a story went on: it may show late, and others may do the same. */
import type { Player } from '../engine/player.ts'
import { growth, unrest } from '../judge/done-once.ts'
import { looks, lookUntil, patience } from './patience.ts'

/** Milliseconds, before the scale of the target, in which what was done before the story has to show. */
const calmMs = 2_000

/** The most looks at an effect. */
export const tallyLooks = 3 + looks.short

/** Leaves the notes that judgements on a count read; none where nothing can be counted. */
export async function tally(
  t: Pick<Player, 'wait' | 'note' | 'timeScale'>,
  count: () => Promise<number | null>,
  between: () => Promise<unknown>,
): Promise<void> {
  const earlier = await count()
  if (earlier === null) return void (await between())
  await t.wait(calmMs * t.timeScale)
  const before = (await count()) ?? earlier
  t.note(unrest, before !== earlier)
  await between()
  const shows = (seen: number | null) => seen === null || seen > before
  const once = await lookUntil(t, patience.short, count, shows)
  // One that is done twice may show the second time a little later.
  await t.wait(calmMs * t.timeScale)
  t.note(growth, ((await count()) ?? once ?? before) - before)
}
