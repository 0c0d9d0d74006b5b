/** Random bodies: any single defect is refused. */
import type { ClauseId } from '../../../spec/index.ts'
import { scenario, type Judge, type Driver } from '../../scenario/scenario.ts'
import { every } from '../../scenario/expect.ts'
import { conversationOf, refusedBeside } from '../../assertions/turn.ts'
import { defects, keyInHeader, spoiled } from './body-defects.ts'

/** One accepted body, then `each` defective bodies per defect, in the order of the table. */
async function spoil(t: Driver<'first' | 'accepted' | 'bad[]'>, each: number): Promise<void> {
  const message = t.text(20 + t.pick(100))
  const id =
    conversationOf(await t.chat('first', { message })) ?? t.stop('the first turn named no conversation')
  const base = { message, conversation_id: id }
  await t.chat('accepted', keyInHeader(JSON.stringify(base), t.key()))
  for (const raw of spoiled(base, t.pick(2 ** 31), each)) await t.add('bad', keyInHeader(raw, t.key()))
}

const everyDefectRefused = Object.fromEntries(
  defects.map(({ breaks }, at): [ClauseId, Judge<'accepted' | 'bad[]'>] => [
    breaks,
    ({ accepted, bad }) =>
      every(
        bad.filter((_, i) => i % defects.length === at),
        (one) => refusedBeside(accepted, one, 400),
      ),
  ]),
)

export const manyDefects = scenario({
  title: 'a body with any one defect is refused, over many of each kind',
  exchanges: ['first', 'accepted', 'bad[]'],
  cost: { requests: 2 + 8 * defects.length, turns: 2 },
  profile: 'exhaustive',
  run: (t) => spoil(t, 8),
  judge: everyDefectRefused,
})
