/** Random requests: any valid message is answered, any single defect is refused. */
import type { ClauseId } from '../../../spec/index.ts'
import { scenario, type Judge, type Driver } from '../../scenario/scenario.ts'
import { every } from '../../scenario/expect.ts'
import { streamType } from '../assertions/streams/stream.ts'
import { accepts, asJson, asked, conversationOf, refusedBeside } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { defects, keyInHeader, spoiled } from './body-defects.ts'
import { multilingualMessages } from './multilingual.ts'

/** Random messages: alternately ASCII of a boundary length and some script, every third one streamed. */
async function converse(t: Driver<'turns[]'>, count: number): Promise<void> {
  const drawn = multilingualMessages(t.pick(2 ** 31), count)
  for (const [i, message] of drawn.entries()) await t.add('turns', { message, stream: i % 3 === 2 })
}

const streams = (turns: readonly Exchange[]): readonly Exchange[] =>
  turns.filter((turn) => asked(turn)?.['stream'] === true)
const plain = (turns: readonly Exchange[]): readonly Exchange[] =>
  turns.filter((turn) => asked(turn)?.['stream'] === false)

const answeredAsAsked = {
  // Every second message is plain ASCII; the others have a clause of their own.
  'REQ-ROUTE': ({ turns }) =>
    every(
      turns.filter((_, i) => i % 2 === 0),
      accepts,
    ),
  'REQ-STREAM-FALSE': ({ turns }) => every(plain(turns), asJson),
  'SSE-CONTENT-TYPE': ({ turns }) => every(streams(turns), streamType),
} as const satisfies { readonly [C in ClauseId]?: Judge<'turns[]'> }

export const anyMessage = scenario({
  title: 'any valid message is answered in the form asked for',
  exchanges: ['turns[]'],
  cost: { requests: 8, turns: 8 },
  run: (t) => converse(t, 8),
  judge: answeredAsAsked,
})

export const anyMessageAtLength = scenario({
  title: 'any valid message is answered in the form asked for, over many',
  exchanges: ['turns[]'],
  cost: { requests: 60, turns: 60 },
  profile: 'exhaustive',
  run: (t) => converse(t, 60),
  judge: answeredAsAsked,
})

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
