/** Reading a conversation, the older way. */
import { scenario } from '../engine/scenario.ts'
import { all } from '../judge/expect.ts'
import { conversation, messages, rateHeadersThere } from '../judge/older.ts'
import { conversationOf } from '../judge/turn.ts'

export const read = scenario({
  title: 'a conversation is read with what was said in it',
  exchanges: ['first', 'second', 'read'],
  needs: { older: 'key', extra: true },
  cost: { requests: 3, turns: 2 },
  async play(t) {
    t.note('agent', t.agent)
    const first = await t.older('first', { message: t.text(40) })
    const id = conversationOf(first) ?? t.stop('the reply names no conversation')
    await t.older('second', { message: t.text(40), conversation_id: id })
    await t.older('read', { read: id })
  },
  judge: {
    'OLD-CONVERSATION': ({ first, read }, { notes }) => conversation(first, read, String(notes['agent'])),
    'OLD-CONVERSATION-MESSAGES': ({ first, second, read }) =>
      all(messages(first, read), messages(second, read)),
    'OLD-RATE-HEADERS': ({ read }) => rateHeadersThere(read),
  },
})
