/** A completed key returns its recorded response to an identical request. */
import { scenario } from '../../scenario/scenario.ts'
import { given } from '../../scenario/expect.ts'
import { ran, replayed } from '../../assertions/once.ts'
import { inItsOwn } from '../assertions/conversation.ts'
import { events } from '../../assertions/reply.ts'
import { replayedStream } from '../assertions/streams/replayed-stream.ts'
import { conversationOf, replied } from '../../assertions/turn.ts'

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
    'CONV-CONTINUE': ({ first, other }) => given(replied(first), () => inItsOwn(other)),
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
    'CONV-AFTER-STREAM': ({ first, other }) => given(replied(first), () => inItsOwn(other)),
    'IDEM-STREAM-REPLAY-ONE-DONE': ({ first, again }) => replayedStream(first, again),
  },
  observe: {
    'GAP-REPLAY-TOKENS': ({ first, again }) =>
      given(replied(first), () =>
        given(replied(again), () => {
          const tokens = events(again, 'token').length
          return { is: 'observed', value: tokens > 0 ? 'with tokens' : 'without tokens' }
        }),
      ),
  },
})
