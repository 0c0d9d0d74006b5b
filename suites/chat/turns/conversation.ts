/** Conversations of several turns. */
import { scenario } from '../../scenario/scenario.ts'
import { newConversations } from '../assertions/conversation.ts'
import { all, given } from '../../scenario/expect.ts'
import { wholeStream } from '../assertions/streams/stream.ts'
import { asJson, conversationOf } from '../../assertions/turn.ts'

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
    'CONV-NEW': ({ first, other }) => newConversations(first, other),
    // A conversation that began with a stream does not require streams for later turns.
    'REQ-STREAM-DEFAULT': ({ other, second, resumed }) =>
      all(
        asJson(second),
        given(wholeStream(other), () => asJson(resumed)),
      ),
  },
})
