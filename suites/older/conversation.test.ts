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

const rows: readonly [what: string, is: Judgement['is'], judgement: Judgement][] = [
  ['a conversation', 'pass', olderConversation(withReply, read(), 'a')],
  ['another conversation', 'fail', olderConversation(withReply, read({ id: 'conv_2' }), 'a')],
  ['a conversation of another agent', 'fail', olderConversation(withReply, read(), 'b')],
  [
    'a conversation that nothing was said in',
    'inconclusive',
    olderMessages(withReply, read({ messages: [] })),
  ],
  [
    'a message without words',
    'fail',
    olderMessages(withReply, read({ messages: [{ role: 'user', timestamp: 'x' }] })),
  ],
  ['messages', 'pass', olderMessages(withReply, read())],

  ['the creation that it had', 'pass', createdOnce(read(), read())],
  [
    'the same moment in other words',
    'pass',
    createdOnce(read(), read({ created_at: '2026-01-01T01:00:00.000+01:00' })),
  ],
  ['a creation that moved', 'fail', createdOnce(read(), read({ created_at: '2026-01-01T00:00:01Z' }))],
  [
    'the same moment, more precise at first',
    'pass',
    createdOnce(read({ created_at: '2026-01-01T00:00:00.250Z' }), read()),
  ],
  [
    'a creation that moved by less than a second',
    'fail',
    createdOnce(
      read({ created_at: '2026-01-01T00:00:00.250Z' }),
      read({ created_at: '2026-01-01T00:00:00.450Z' }),
    ),
  ],

  ['a long message in whole', 'pass', listedWhole(short, whole, listing(hi, said('user', long)))],
  [
    'a long message in parts',
    'pass',
    listedWhole(
      short,
      whole,
      listing(hi, said('user', long.slice(0, 1000)), said('user', long.slice(1000)), said('bot', 'So long!')),
    ),
  ],
  [
    'its beginning, said by the agent',
    'pass',
    listedWhole(short, whole, listing(hi, said('bot', long.slice(0, 1000)))),
  ],
  ['its beginning', 'fail', listedWhole(short, whole, listing(hi, said('user', long.slice(0, 1000))))],
  [
    'its beginning, and dots',
    'fail',
    listedWhole(short, whole, listing(hi, said('user', `${long.slice(0, 500)} ...`))),
  ],
  [
    'its beginning where nothing is listed to the letter',
    'pass',
    listedWhole(short, whole, listing(said('user', 'hi'), said('user', long.slice(0, 1000)))),
  ],
  ['a long message that is not listed', 'pass', listedWhole(short, whole, listing(hi))],

  [
    'a reply that was streamed',
    'pass',
    listsStreamed([short], stream, listing(hi, hello, said('user', 'And now?'), said('bot', 'Yes'))),
  ],
  [
    'no reply that was streamed',
    'fail',
    listsStreamed([short], stream, listing(hi, hello, said('user', 'And now?'))),
  ],
  ['nothing of that turn', 'pass', listsStreamed([short], stream, listing(hi, hello))],
  [
    'none where the others are in other words',
    'pass',
    listsStreamed([short], stream, listing(hi, said('bot', 'hello'), said('user', 'And now?'))),
  ],
]

test.for(rows)('%s: %s', ([, is, judgement]) => {
  expect(judgement).toMatchObject({ is })
})
