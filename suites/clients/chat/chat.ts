/** What a client sends for a turn. Nothing is in its way, so the service itself says whether it was right. */
import type { Judgement } from '../../scenario/scenario.ts'
import { all, fail, check, every, inconclusive, notApplicable, pass, warn } from '../../scenario/expect.ts'
import { shown } from '../../assertions/answer.ts'
import { type Exchange, excerpt, status } from '../../wire/exchange.ts'
import {
  apiKeyOf,
  bodyMember,
  ownKeys,
  requestHeaders,
  sendsMember,
  serviceRequests,
} from '../assertions/request.ts'
import { givenIn, ifControlSucceeded, sentTo } from '../assertions/step-result.ts'
import {
  hasCompleteReply,
  lacks,
  replyMembers,
  reportsReply,
  ifReplyReported,
} from '../assertions/reported-reply.ts'
import { clientScenario, type ClientScenario } from '../client-scenario.ts'

const message = 'Which rooms are free on Friday?'
const key = 'order-1001-turn-1'

export const turn = clientScenario({
  title: 'a turn is asked for and answered',
  steps: { turn: { task: { do: 'chat', message, idempotencyKey: key } } },
  judge: {
    'LIB-CHAT': ({ turn }) => chatOf(turn, (one) => asksFor(one, message)),
    'LIB-AUTHORIZATION': ({ turn }) => every(serviceRequests(turn), bearsKey),
    'LIB-KEY-HEADER': ({ turn }) => chatOf(turn, (one) => carriesKey(one)),
    'LIB-NO-FALSE-REPLY': ({ turn }, context) =>
      ifReplyReported(turn, context, 'turn', () => reportsReply(turn, context, 'turn')),
  },
})

/** Blanks at both ends, quotes, a line end, characters of one to four bytes, and longer than what is called short. */
const everyWord = ` "Zimmer 7" für 2?\n\tPreis < 90 € & 世界 🙂 \\ ${'und so weiter, '.repeat(40)}bitte `

export const words = clientScenario({
  title: 'a message goes out to the letter, whatever is in it',
  steps: { turn: { task: { do: 'chat', message: everyWord, idempotencyKey: 'a-message-to-the-letter' } } },
  judge: { 'LIB-CHAT': ({ turn }) => chatOf(turn, (one) => asksFor(one, everyWord)) },
})

/** Capitals, and signs that an address would have encoded. */
const markedKey = 'Order 1001/Turn #1: 50%'
const longKey = `${'order-1001/turn-1:'.repeat(14)}xyz`

export const keys = clientScenario({
  title: 'idempotency keys of 1 and of 255 characters go out as they are',
  steps: {
    short: { task: { do: 'chat', message, idempotencyKey: '7' } },
    long: { task: { do: 'chat', message, idempotencyKey: longKey } },
    marks: { task: { do: 'chat', message, idempotencyKey: markedKey } },
    again: { task: { do: 'chat', message, idempotencyKey: markedKey } },
  },
  judge: {
    'LIB-KEY-HEADER': ({ short, long, marks, again }) => {
      const tasks = [short, long, [...marks, ...again]]
      const given = ['7', longKey, markedKey]
      const judged = tasks.map((sent, at) => chatOf(sent, (one) => carriesKey(one, given[at])))
      const isGiven = judged.some(({ is }) => is === 'pass' || is === 'not-applicable')
      return isGiven ? all(...judged) : ownKeys(tasks.map((sent) => sentTo(sent, 'chat')))
    },
  },
})

const ofLibrary = (title: string, how: 'chat' | 'stream') =>
  ({
    title,
    clientKind: 'library',
    steps: { turn: { task: { do: how, message, idempotencyKey: key } } },
    judge: { 'LIB-KEY-HEADER': ({ turn }) => chatOf(turn, inItsHeader) },
  }) satisfies Parameters<typeof clientScenario<'turn'>>[0]

export const keyHeader = clientScenario(ofLibrary('the library sends the key in `Idempotency-Key`', 'chat'))
export const streamKeyHeader = clientScenario(
  ofLibrary('the library sends the key of a stream in it, too', 'stream'),
)

function inItsHeader(exchange: Exchange): Judgement {
  const values = requestHeaders(exchange, 'idempotency-key')
  return check(values.join() === key, `Idempotency-Key: ${key}`, values.join() || 'no such header', exchange)
}

export const keyless = clientScenario({
  title: 'the library refuses a turn without a key before anything is sent',
  clientKind: 'library',
  steps: {
    keyed: { task: { do: 'chat', message, idempotencyKey: key } },
    keyless: { task: { do: 'chat', message }, maySendNothing: true },
  },
  judge: {
    'LIB-KEY-REQUIRED': ({ keyed, keyless }) =>
      ifControlSucceeded(keyed, () => {
        const [sent] = sentTo(keyless, 'chat')
        return check(sent === undefined, 'nothing is sent without a key', 'a turn', sent)
      }),
  },
})

export const conversation = clientScenario({
  title: 'a conversation goes on under its id',
  steps: {
    turn: {
      task: { do: 'chat', message, idempotencyKey: 'order-1001-turn-2' },
      service: { preparation: 'conversation' },
    },
  },
  judge: {
    'LIB-CONVERSATION': ({ turn }, context) =>
      chatOf(turn, (one) => sendsMember(one, 'conversation_id', givenIn(context, 'turn').conversationId)),
  },
})

export const button = clientScenario({
  title: 'a button is pressed as it was copied, and a message goes with it',
  steps: {
    press: {
      task: { do: 'chat', message, idempotencyKey: 'order-1001-press-1' },
      // A number, a text and an object: whoever takes a selection apart does not put it together again.
      service: {
        agent: 'workflow',
        preparation: 'button',
        interpretations: { 'GAP-INTERACTION-TYPES': 'mixed' },
      },
    },
  },
  judge: {
    'LIB-INTERACTION': ({ press }, context) =>
      chatOf(press, (one) =>
        all(
          sendsMember(one, 'interaction', givenIn(context, 'press').interaction),
          sendsMember(one, 'message', message),
        ),
      ),
    'LIB-CONVERSATION': ({ press }, context) =>
      chatOf(press, (one) => sendsMember(one, 'conversation_id', givenIn(context, 'press').conversationId)),
  },
})

/** What was reported of the first turn is what an application has to go on with. */
const goingOn = (title: string, how: 'chat' | 'stream'): ClientScenario =>
  clientScenario({
    title,
    steps: {
      first: { task: { do: how, message, idempotencyKey: 'order-1001-turn-3' } },
      later: { task: { do: how, message, idempotencyKey: 'order-1001-turn-4' }, continues: 'conversation' },
    },
    judge: {
      'LIB-CONVERSATION': ({ first, later }, context) =>
        ifReplyReported(first, context, 'first', () => {
          const begun = sentTo(first, 'chat').findLast(hasCompleteReply)
          if (!begun || givenIn(context, 'later').conversationId === undefined)
            return inconclusive(lacks('conversationId'))
          const { conversation_id: wanted } = replyMembers(begun)
          return chatOf(later, (one) => sendsMember(one, 'conversation_id', wanted))
        }),
    },
  })

export const nextTurn = goingOn('a second turn goes on under the id of the first reply', 'chat')
export const nextStream = goingOn('a second stream goes on under the id of the first', 'stream')

/** What was sent to the chat route, each judged; that nothing was is the client's own doing. */
function chatOf(exchanges: readonly Exchange[], judge: (exchange: Exchange) => Judgement): Judgement {
  const sent = sentTo(exchanges, 'chat')
  if (sent.length > 0) return every(sent, judge)
  const [first] = exchanges
  if (first === undefined) return inconclusive('it sent nothing')
  const { method, path } = first.request
  return fail('a POST to /api/v1/chat/ and the agent', `${method} ${path}`, first)
}

function asksFor(exchange: Exchange, wanted: string): Judgement {
  const types = requestHeaders(exchange, 'content-type').join(', ')
  const isJson = /^application\/json\s*(;[^,]*)?$/i.test(types)
  const said = bodyMember(exchange, 'message')
  const got = said === undefined ? 'no JSON object with a message' : JSON.stringify(said)
  return all(
    check(isJson, 'Content-Type: application/json', types || 'no Content-Type', exchange),
    check(said === wanted, `the message ${excerpt(JSON.stringify(wanted))}`, excerpt(got), exchange),
    // The service is there and whole: what it does not answer 200 was not asked rightly.
    check(status(exchange) === 200, 'a request that is answered 200', shown(exchange), exchange),
  )
}

/** Findings describe the form of the header, never its value. */
function bearsKey(exchange: Exchange): Judgement {
  const values = requestHeaders(exchange, 'authorization')
  const form = values.length === 1 ? 'one Authorization of another form' : `${values.length} of them`
  const apiKey = apiKeyOf(exchange)
  if (apiKey === '' || values.length !== 1)
    return fail('one Authorization with the scheme Bearer and the key', form, exchange)
  if (exchange.request.path.includes(apiKey))
    return warn('an address without the API key', 'the key in the address, too', exchange)
  return pass
}

/** Any client may carry a key in one of two headers or in the body; never two, and not in the address alone. */
function carriesKey(exchange: Exchange, given?: string): Judgement {
  const own = requestHeaders(exchange, 'idempotency-key')
  const inBody = bodyMember(exchange, 'idempotency_key')
  const others = [...requestHeaders(exchange, 'x-idempotency-key'), inBody]
  const all = [...own, ...others].filter((one) => one !== undefined)
  const wanted = given ?? all[0]
  const odd = all.find((one) => one !== wanted || typeof one !== 'string' || one === '')
  const expected = given === undefined ? 'one idempotency key' : `the idempotency key ${excerpt(given)}`
  if (all.length === 0 || odd !== undefined)
    return fail(expected, excerpt(JSON.stringify(odd) ?? 'no key'), exchange)
  if (own.length > 0) return pass
  return notApplicable('it carries the key where any client may: only the library is bound to the header')
}
