/**
 * The scenarios of the older chat variant, by id. They run only if a target declares the variant, and do not affect
 * conformance: its clauses are in no published set.
 */
import { isObject } from '../../spec/json.ts'
import { object, refused, status } from '../assertions/answer.ts'
import { field } from '../assertions/reply.ts'
import { accepts, conversationOf, outcome, refusedBeside, replied } from '../assertions/turn.ts'
import { isLimited } from '../chat/assertions/rate.ts'
import { all, check, every, given, inconclusive, measured, observed } from '../scenario/expect.ts'
import { byId, scenario, type AnyScenario } from '../scenario/scenario.ts'
import type { Exchange } from '../wire/exchange.ts'
import { readSseBody } from '../wire/sse.ts'
import {
  createdOnce,
  eventName,
  limitedAbove,
  listedWhole,
  listsStreamed,
  nestedError,
  olderConversation,
  olderMessages,
  olderSources,
  olderStream,
  rateHeadersThere,
  rateNumber,
  refusedAs,
} from './judgements.ts'

const needs = { older: 'key', extra: true } as const

const refusals = scenario({
  title: 'a key that nobody has and an agent that is not there are refused, and so is no key',
  exchanges: ['accepted', 'missing', 'unknown', 'nowhere'],
  needs,
  cost: { requests: 4, turns: 1 },
  async run(t) {
    const message = t.text(30)
    const { request } = await t.older('accepted', { message })
    const [, sent = ''] = request.headers.find(([name]) => name.toLowerCase() === 'authorization') ?? []
    t.note('keyHasPrefix', sent.slice(sent.indexOf(' ') + 1).startsWith('ak_'))
    await t.older('missing', { message, as: null })
    const unknown = `Bearer ak_${t.uuid().replaceAll('-', '')}`
    await t.older('unknown', { message, as: null, headers: [['Authorization', unknown]] })
    await t.older('nowhere', { message, agent: t.uuid() })
  },
  judge: {
    'OLD-KEY': ({ accepted }, { notes }) =>
      given(replied(accepted), () =>
        check(notes['keyHasPrefix'] === true, 'a key that begins with `ak_`', 'another', accepted),
      ),
    'OLD-REFUSALS': ({ accepted, missing, unknown, nowhere }) =>
      every(
        [
          [missing, 401],
          [unknown, 401],
          [nowhere, 404, 403],
        ] as const,
        ([bad, expected, instead]) => refusedAs(accepted, bad, expected, instead),
      ),
    'OLD-ERROR': ({ accepted, unknown, nowhere }) =>
      given(replied(accepted), () => every([unknown, nowhere], nestedError)),
  },
})

const anotherAgent = scenario({
  title: 'a key of one agent is good for no other',
  exchanges: ['own', 'other', 'away'],
  needs: { older: 'two-keys', extra: true },
  cost: { requests: 3, turns: 2 },
  async run(t) {
    const message = t.text(30)
    await t.older('own', { message })
    await t.older('other', { message, as: 'otherOlder' })
    await t.older('away', { message, as: 'otherOlder', agent: t.agent })
  },
  judge: {
    'OLD-KEY': ({ own, other, away }) => given(all(replied(own), replied(other)), () => refused(away)),
    'OLD-REFUSALS': ({ own, other, away }) => given(replied(own), () => refusedAs(other, away, 403, 404)),
  },
})

const answered = (...turns: readonly Exchange[]): readonly Exchange[] =>
  turns.filter((turn) => replied(turn).is === 'pass')

const read = scenario({
  title: 'a conversation is read with what was said in it',
  exchanges: ['first', 'early', 'streamed', 'long', 'thanks', 'read'],
  needs,
  cost: { requests: 6, turns: 4 },
  async run(t) {
    t.note('agent', t.agent)
    const first = await t.older('first', { message: t.text(40) })
    const id = conversationOf(first) ?? t.stop('the reply names no conversation')
    await t.older('early', { read: id })
    await t.older('streamed', { message: t.text(40), conversation_id: id, stream: true })
    // More than a list is likely to show of a message, and at most the length of a current message.
    await t.older('long', { message: t.text(2_500), conversation_id: id })
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

const reply = scenario({
  title: 'a message is answered with a reply in the shape of the older variant',
  exchanges: ['reply'],
  needs,
  cost: { requests: 1, turns: 1 },
  run: async (t) => void (await t.older('reply', { message: t.text(40), metadata: { page: '/orders' } })),
  judge: {
    'OLD-SEND': ({ reply }) => accepts(reply),
    'OLD-REPLY': ({ reply }) =>
      all(
        field(reply, 'response', 'string'),
        field(reply, 'conversation_id', 'filled string'),
        field(reply, 'message_id', 'filled string'),
        field(reply, 'credits_used', 'number'),
      ),
    'OLD-CONFIDENCE': ({ reply }) => field(reply, 'confidence', 'number'),
    'OLD-SOURCES': ({ reply }) => olderSources(reply),
    'OLD-RATE-HEADERS': ({ reply }) => rateHeadersThere(reply),
  },
  observe: {
    'GAP-OLDER-SERVED': ({ reply }) => given(replied(reply), () => observed('it is served')),
  },
})

const badBody = scenario({
  title: 'a body without a text as its message is refused',
  exchanges: ['accepted', 'without', 'number'],
  needs,
  cost: { requests: 3, turns: 1 },
  async run(t) {
    await t.older('accepted', { message: t.text(30) })
    await t.older('without', { raw: '{"stream":false}' })
    await t.older('number', { message: 7 })
  },
  judge: {
    'OLD-MESSAGE-REQUIRED': ({ accepted, without, number }) =>
      every([without, number], (bad) => refusedBeside(accepted, bad, 400)),
    'OLD-ERROR': ({ accepted, without }) => given(replied(accepted), () => nestedError(without)),
  },
  observe: {
    'GAP-OLDER-RETRY-AFTER': ({ without }) =>
      given(refused(without), () => {
        const { error } = object(without) ?? {}
        return measured(`with a 400: ${JSON.stringify(Object(error)['retry_after']) ?? 'none'}`)
      }),
  },
})

const retry = scenario({
  title: 'whether an idempotency key makes a retry of the older variant safe',
  exchanges: ['first', 'again'],
  needs,
  cost: { requests: 2, turns: 2 },
  async run(t) {
    const asked = { message: t.text(40), headers: [['Idempotency-Key', t.key()]] } as const
    await t.older('first', asked)
    await t.older('again', asked)
  },
  judge: {
    'OLD-SEND': ({ first }) => accepts(first),
  },
  observe: {
    'GAP-OLDER-KEY': ({ first, again }) =>
      given(replied(first), () => {
        const [id, other] = [first, again].map((one) => object(one)?.['message_id'])
        const same = id !== undefined && id === other
        return observed(same ? 'the reply is that of the first' : `the retry: ${outcome(again)}`)
      }),
  },
})

/** A higher limit is not tested. A fixed window allows twice the limit across its boundary. */
const highest = 60

const limited = scenario({
  title: 'more requests than the limit in the headers cause a 429',
  exchanges: ['first', 'flood[]'],
  needs: { older: 'limited', optIn: ['costly'], extra: true },
  cost: { requests: 1 + 2 * highest, turns: 1 + 2 * highest },
  async run(t) {
    const first = await t.older('first', { message: t.text(20) })
    const limit = rateNumber(first, 'x-ratelimit-limit') ?? t.stop('the response has no limit')
    if (limit > highest) t.stop(`the limit is ${limit}; at most ${highest} is looked for`)
    for (let sent = 0; sent < 2 * limit; sent++)
      if (isLimited(await t.olderMore('flood', { message: t.text(20) }))) return
  },
  judge: {
    'OLD-RATE': ({ first, flood }) => limitedAbove(first, flood),
    'OLD-ERROR': ({ first, flood }) =>
      given(replied(first), () =>
        flood.some(isLimited)
          ? every(flood.filter(isLimited), nestedError)
          : inconclusive('there was no 429'),
      ),
  },
  observe: {
    'GAP-OLDER-RETRY-AFTER': ({ flood }) =>
      every(flood.slice(-1), (one) =>
        given(status(one, 429), () =>
          measured(`with a 429: ${JSON.stringify(object(one)?.['error']) ?? 'no error'}`),
        ),
      ),
  },
})

/** The members of each event, by its name. */
function membersOf(turn: Exchange): string {
  const rows = readSseBody(turn).events.map((event) => {
    const members = isObject(event.json) ? Object.keys(event.json).filter((name) => name !== 'type') : []
    return `${eventName(event)}: ${members.join(' ') || 'no member'}`
  })
  return [...new Set(rows)].join('; ')
}

const streamed = scenario({
  title: 'a streamed reply comes as texts, sources and done',
  exchanges: ['turn'],
  needs,
  cost: { requests: 1, turns: 1 },
  run: async (t) => void (await t.older('turn', { message: t.text(40), stream: true })),
  judge: {
    'OLD-STREAM': ({ turn }) => olderStream(turn),
    'OLD-RATE-HEADERS': ({ turn }) => given(olderStream(turn), () => rateHeadersThere(turn)),
  },
  observe: {
    'GAP-OLDER-EVENTS': ({ turn }) => given(olderStream(turn), () => observed(membersOf(turn))),
  },
})

export const olderScenarios: Readonly<Record<string, AnyScenario>> = byId({
  'older-access': { refusals, anotherAgent },
  'older-conversation': { read },
  'older-message': { reply, badBody, retry },
  'older-rate': { limited },
  'older-stream': { reply: streamed },
})
