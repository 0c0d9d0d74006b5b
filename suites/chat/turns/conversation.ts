/** Conversations of several turns. */
import type { ClauseId } from '../../../spec/index.ts'
import { scenario, type Judge, type Driver, type Judgement } from '../../scenario/scenario.ts'
import { newConversations, inItsOwn, wanted } from '../assertions/conversation.ts'
import { all, every, given } from '../../scenario/expect.ts'
import { field, sameField } from '../../assertions/reply.ts'
import { wholeStream } from '../assertions/streams/stream.ts'
import { asJson, asked, confirmed, conversationOf } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

export const thread = scenario({
  title: 'a conversation continues only with its id',
  exchanges: ['first', 'second', 'third', 'other', 'resumed'],
  cost: { requests: 5, turns: 5 },
  async run(t) {
    const first =
      conversationOf(await t.chat('first', { message: t.text(30) })) ??
      t.stop('the first turn named no conversation')
    await t.chat('second', { message: t.text(30), conversation_id: first })
    await t.chat('third', { message: t.text(30), conversation_id: first, stream: true })
    const other =
      conversationOf(await t.chat('other', { message: t.text(30), stream: true })) ??
      t.stop('the streamed turn named no conversation')
    await t.chat('resumed', { message: t.text(30), conversation_id: other })
  },
  judge: {
    'CONV-NEW': ({ first, other }) => newConversations([first, other]),
    'CONV-CONTINUE': ({ first, second }) => sameConversation(first, second),
    'CONV-CONTINUE-STREAM': ({ first, third }) =>
      confirmed(sameConversation(first, third), wholeStream(third)),
    'CONV-AFTER-STREAM': ({ other, resumed }) =>
      confirmed(sameConversation(other, resumed), wholeStream(other)),
    // A conversation that began with a stream does not require streams for later turns.
    'REQ-STREAM-DEFAULT': ({ other, second, resumed }) =>
      all(
        asJson(second),
        given(wholeStream(other), () => asJson(resumed)),
      ),
  },
})

/**
 * Several concurrent conversations, every second turn streamed. Three are started and continued in all combinations;
 * then each step starts one or continues an earlier one.
 */
async function mingle(t: Driver<'turns[]'>, steps: number): Promise<void> {
  const begun: string[] = []
  const fixed = [undefined, undefined, undefined, 0, 0, 2, 1]
  for (let step = 0; step < steps; step++) {
    const at = step < fixed.length ? fixed[step] : t.pick(begun.length + 1)
    const known = at === undefined ? undefined : begun[at]
    const turn = await t.add('turns', {
      message: t.text(20),
      stream: step % 2 === 1,
      ...(known === undefined ? {} : { conversation_id: known }),
    })
    const got = conversationOf(turn) ?? t.stop(`turn ${step + 1} named no conversation`)
    if (known === undefined) begun.push(got)
  }
}

const isBegun = (turn: Exchange): boolean => wanted(turn) === undefined
const wantsStream = (turn: Exchange): boolean => asked(turn)?.['stream'] === true

/** The turns that continue a conversation, by how it was started and how they are answered. */
function goingOn(turns: readonly Exchange[], begun: 'json' | 'stream' | 'either', now: 'json' | 'stream') {
  return turns.filter((turn) => {
    const first = turns.find((one) => isBegun(one) && conversationOf(one) === wanted(turn))
    if (isBegun(turn) || !first || wantsStream(turn) !== (now === 'stream')) return false
    return begun === 'either' || wantsStream(first) === (begun === 'stream')
  })
}

const eachInItsOwn = {
  'CONV-NEW': ({ turns }) => newConversations(turns.filter(isBegun)),
  'CONV-CONTINUE': ({ turns }) => every(goingOn(turns, 'json', 'json'), inItsOwn),
  'CONV-CONTINUE-STREAM': ({ turns }) => every(goingOn(turns, 'either', 'stream'), inItsOwnStream),
  'CONV-AFTER-STREAM': ({ turns }) =>
    confirmed(
      every(goingOn(turns, 'stream', 'json'), inItsOwn),
      every(
        turns.filter((turn) => isBegun(turn) && wantsStream(turn)),
        wholeStream,
      ),
    ),
} as const satisfies { readonly [C in ClauseId]?: Judge<'turns[]'> }

export const interleaved = scenario({
  title: 'interleaved conversations stay separate',
  exchanges: ['turns[]'],
  cost: { requests: 7, turns: 7 },
  run: (t) => mingle(t, 7),
  judge: eachInItsOwn,
})

export const interleavedAtLength = scenario({
  title: 'interleaved conversations stay separate over many turns',
  exchanges: ['turns[]'],
  cost: { requests: 50, turns: 50 },
  profile: 'exhaustive',
  run: (t) => mingle(t, 50),
  judge: eachInItsOwn,
})

function sameConversation(before: Exchange, after: Exchange): Judgement {
  return given(
    every([before, after], (turn) => field(turn, 'conversation_id', 'string')),
    () => sameField(before, after, 'conversation_id'),
  )
}

const inItsOwnStream = (turn: Exchange): Judgement => confirmed(inItsOwn(turn), wholeStream(turn))
