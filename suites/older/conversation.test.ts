import { expect, test } from 'vitest'
import type { Judgement } from '../scenario/judgement.ts'
import type { Exchange } from '../wire/exchange.ts'
import { frames, jsonAnswer, streamAnswer } from '../assertions/exchange.testkit.ts'
import { olderConversation, createdOnce, listedWhole, listsStreamed, olderMessages } from './judgements.ts'

const reply = { response: 'Hello', conversation_id: 'conv_1', message_id: 'msg_1', credits_used: 1 }
const read = (over: object = {}): Exchange => {
  const said = { role: 'user', content: 'Hi', timestamp: '2026-01-01T00:00:00Z' }
  return jsonAnswer({ id: 'conv_1', agent_id: 'a', created_at: said.timestamp, messages: [said], ...over })
}
const withReply = jsonAnswer(reply)

/** A turn and its list entries. */
const turn = (message: string, response: string): Exchange => {
  const answer = jsonAnswer({ ...reply, response })
  return { ...answer, request: { ...answer.request, body: Buffer.from(JSON.stringify({ message })) } }
}
const said = (role: string, content: string) => ({ role, content, timestamp: '2026-01-01T00:00:00Z' })
const streamAsked = (message: string): Exchange => {
  const answer = streamAnswer(frames({ type: 'text', text: 'Yes' }, { type: 'done' }))
  return { ...answer, request: { ...answer.request, body: Buffer.from(JSON.stringify({ message })) } }
}
const long = 'A word or two. '.repeat(100)
const [short, whole, stream] = [turn('Hi', 'Hello'), turn(long, 'So long!'), streamAsked('And now?')]
const listing = (...messages: readonly object[]): Exchange => read({ messages })
const [hi, hello] = [said('user', 'Hi'), said('bot', 'Hello')]

const longListed = (...others: readonly object[]) => listedWhole(short, whole, listing(hi, ...others))
const streamListed = (...others: readonly object[]) => listsStreamed([short], stream, listing(hi, ...others))

const judged: Readonly<Partial<Record<Judgement['is'], Readonly<Record<string, Judgement>>>>> = {
  pass: {
    'a conversation': olderConversation(withReply, read(), 'a'),
    messages: olderMessages(withReply, read()),
    'the creation that it had': createdOnce(read(), read()),
    'the same moment in other words': createdOnce(
      read(),
      read({ created_at: '2026-01-01T01:00:00.000+01:00' }),
    ),
    'the same moment, more precise at first': createdOnce(
      read({ created_at: '2026-01-01T00:00:00.250Z' }),
      read(),
    ),
    'a long message in whole': longListed(said('user', long)),
    'a long message in parts': longListed(
      said('user', long.slice(0, 1000)),
      said('user', long.slice(1000)),
      said('bot', 'So long!'),
    ),
    'its beginning, said by the agent': longListed(said('bot', long.slice(0, 1000))),
    'its beginning where nothing is listed to the letter': listedWhole(
      short,
      whole,
      listing(said('user', 'hi'), said('user', long.slice(0, 1000))),
    ),
    'a long message that is not listed': longListed(),
    'a reply that was streamed': streamListed(hello, said('user', 'And now?'), said('bot', 'Yes')),
    'nothing of that turn': streamListed(hello),
    'none where the others are in other words': streamListed(said('bot', 'hello'), said('user', 'And now?')),
  },
  fail: {
    'another conversation': olderConversation(withReply, read({ id: 'conv_2' }), 'a'),
    'a conversation of another agent': olderConversation(withReply, read(), 'b'),
    'a message without words': olderMessages(
      withReply,
      read({ messages: [{ role: 'user', timestamp: 'x' }] }),
    ),
    'a creation that moved': createdOnce(read(), read({ created_at: '2026-01-01T00:00:01Z' })),
    'a creation that moved by less than a second': createdOnce(
      read({ created_at: '2026-01-01T00:00:00.250Z' }),
      read({ created_at: '2026-01-01T00:00:00.450Z' }),
    ),
    'its beginning': longListed(said('user', long.slice(0, 1000))),
    'its beginning, and dots': longListed(said('user', `${long.slice(0, 500)} ...`)),
    'no reply that was streamed': streamListed(hello, said('user', 'And now?')),
  },
  inconclusive: {
    'a conversation that nothing was said in': olderMessages(withReply, read({ messages: [] })),
  },
}

const rows = Object.entries(judged).flatMap(([is, all]) =>
  Object.entries(all).map(([what, judgement]) => [what, is, judgement] as const),
)
test.for(rows)('%s: %s', ([, is, judgement]) => {
  expect(judgement).toMatchObject({ is })
})
