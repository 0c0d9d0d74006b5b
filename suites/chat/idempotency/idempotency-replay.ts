/** A completed key returns its recorded response to an identical request. */
import { scenario } from '../../scenario/scenario.ts'
import { all, given, inTurn, need } from '../../scenario/expect.ts'
import { ran, replayed } from '../../assertions/once.ts'
import { inItsOwn } from '../assertions/reply-isolation.ts'
import { replayAfterReply } from '../assertions/race.ts'
import { events, field, markedReplay, sameField } from '../../assertions/reply.ts'
import { onlyDone, replayedStream, sameInDone, wholeStream } from '../assertions/streams/stream.ts'
import { accepts, confirmed, conversationOf, replied } from '../../assertions/turn.ts'

export const json = scenario({
  title: 'a reply is replayed, also after another turn',
  exchanges: ['first', 'again', 'other', 'later[]'],
  cost: { requests: 5, turns: 2 },
  profile: 'smoke',
  async run(t) {
    const first = await t.chat('first', { message: t.text(40) })
    await t.resend('again', first)
    const id = conversationOf(first)
    await t.chat('other', { message: t.text(40), ...(id === null ? {} : { conversation_id: id }) })
    await t.resendTo('later', first)
    await t.resendTo('later', first)
  },
  judge: {
    'IDEM-REPLAY-STATUS': ({ first, again }) => given(replied(first), () => accepts(again)),
    'IDEM-REPLAY-HEADER': ({ first, again, later }) =>
      all(
        inTurn(need(ran(first)), need(accepts(again)), markedReplay(again)),
        // Other scenarios judge whether the key was available.
        ...later.map((one) => given(replayed(first, one), () => markedReplay(one))),
      ),
    'IDEM-REPLAY-RESPONSE': ({ first, again, later }) =>
      given(field(first, 'response', 'string'), () =>
        all(
          sameField(first, again, 'response'),
          // Other scenarios judge whether the key was available.
          ...later.map((one) => given(replayed(first, one), () => sameField(first, one, 'response'))),
        ),
      ),
    'IDEM-REPLAY-CONVERSATION': ({ first, again }) =>
      given(field(first, 'conversation_id', 'string'), () => sameField(first, again, 'conversation_id')),
    'CONV-CONTINUE': ({ first, other }) => given(replied(first), () => inItsOwn(other)),
    'IDEM-REPLAY-AT-ONCE': ({ first, again }) => replayAfterReply([first, again]),
    'IDEM-REPLAY-AGAIN': ({ first, other, later }) => given(ran(other), () => replayed(first, ...later)),
  },
})

export const stream = scenario({
  title: 'a streamed reply is replayed, also after another turn of its conversation',
  exchanges: ['first', 'again', 'other', 'later'],
  cost: { requests: 4, turns: 2 },
  profile: 'smoke',
  async run(t) {
    // If an agent repeats its message, a record that truncates the reply is detected.
    const first = await t.chat('first', { message: t.text(4000), stream: true })
    await t.resend('again', first)
    const id = conversationOf(first)
    await t.chat('other', { message: t.text(40), ...(id === null ? {} : { conversation_id: id }) })
    await t.resend('later', first)
  },
  judge: {
    'IDEM-STREAM-REPLAY-STATUS': ({ first, again }) =>
      given(replied(first), () => confirmed(accepts(again), wholeStream(first))),
    'IDEM-STREAM-REPLAY-HEADER': ({ first, again }) =>
      inTurn(need(ran(first)), need(accepts(again)), markedReplay(again)),
    'IDEM-STREAM-REPLAY-ONE-DONE': ({ first, again }) => replayedStream(first, again),
    'IDEM-STREAM-REPLAY-RESPONSE': ({ first, again, other, later }) =>
      all(
        sameInDone(first, again, 'response'),
        inTurn(need(ran(other)), need(replayed(first, later)), sameInDone(first, later, 'response')),
      ),
    'IDEM-STREAM-REPLAY-CONVERSATION': ({ first, again }) => sameInDone(first, again, 'conversation_id'),
    'CONV-AFTER-STREAM': ({ first, other }) => given(replied(first), () => inItsOwn(other)),
    'IDEM-STREAM-REPLAY-CLEAN': ({ first, again }) => onlyDone(first, again),
  },
  observe: {
    'GAP-REPLAY-TOKENS': ({ first, again }) =>
      inTurn(need(replied(first)), need(replied(again)), () => {
        const tokens = events(again, 'token').length
        return { is: 'observed', value: tokens > 0 ? 'with tokens' : 'without tokens' }
      }),
  },
})
