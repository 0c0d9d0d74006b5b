/** Reading a conversation in the older variant. */
import { scenario } from '../scenario/scenario.ts'
import { all, every, given } from '../scenario/expect.ts'
import { rateHeadersThere, olderSources } from './assertions/older.ts'
import {
  olderConversation,
  createdOnce,
  listedWhole,
  listsStreamed,
  olderMessages,
} from './assertions/older-conversation.ts'
import { field } from '../assertions/reply.ts'
import { conversationOf, replied } from '../assertions/turn.ts'
import type { Exchange } from '../wire/exchange.ts'

/** More than a list is likely to show of a message, and at most the length of a current message. */
const long = 2_500

const answered = (...turns: readonly Exchange[]): readonly Exchange[] =>
  turns.filter((turn) => replied(turn).is === 'pass')

export const read = scenario({
  title: 'a conversation is read with what was said in it',
  exchanges: ['first', 'early', 'streamed', 'long', 'thanks', 'read'],
  needs: { older: 'key', extra: true },
  cost: { requests: 6, turns: 4 },
  async run(t) {
    t.note('agent', t.agent)
    const first = await t.older('first', { message: t.text(40) })
    const id = conversationOf(first) ?? t.stop('the reply names no conversation')
    await t.older('early', { read: id })
    await t.older('streamed', { message: t.text(40), conversation_id: id, stream: true })
    await t.older('long', { message: t.text(long), conversation_id: id })
    await t.older('thanks', { message: 'Thank you!', conversation_id: id })
    await t.older('read', { read: id })
  },
  judge: {
    'OLD-CONFIDENCE': ({ first, long, thanks }) =>
      given(replied(first), () =>
        every(answered(first, long, thanks), (reply) => field(reply, 'confidence', 'number')),
      ),
    'OLD-SOURCES': ({ first, long, thanks }) =>
      given(replied(first), () => olderSources(...answered(first, long, thanks))),
    'OLD-CONVERSATION': ({ first, early, read }, { notes }) =>
      all(olderConversation(first, read, String(notes['agent'])), createdOnce(early, read)),
    'OLD-CONVERSATION-MESSAGES': ({ first, streamed, long, thanks, read }) =>
      all(
        olderMessages(first, read),
        listedWhole(first, long, read),
        listsStreamed(answered(first, long, thanks), streamed, read),
      ),
    'OLD-RATE-HEADERS': ({ read }) => rateHeadersThere(read),
  },
})
