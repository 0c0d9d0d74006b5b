/**
 * The scenarios of the older chat variant, by id. They run only if a target declares the variant, and do not affect
 * conformance: its clauses are in no published set.
 */
import { isObject } from '../../spec/json.ts'
import { object, refused, shown, status } from '../assertions/answer.ts'
import { field, isStream } from '../assertions/reply.ts'
import { accepts, conversationOf, refusedBeside, replied } from '../assertions/turn.ts'
import { isLimited } from '../chat/assertions/rate.ts'
import { all, check, every, fail, given, inconclusive, measured, observed, pass } from '../scenario/expect.ts'
import { byId, scenario, type AnyScenario, type Judgement } from '../scenario/scenario.ts'
import { type Exchange, excerpt, header } from '../wire/exchange.ts'
import { readSseBody, type SseEvent } from '../wire/sse.ts'

const isText = (value: unknown): value is string => typeof value === 'string'
const isName = (value: unknown): boolean => isText(value) && value !== ''
const isThere = (value: unknown): boolean => value !== undefined && value !== null
const isTextOrNumber = (value: unknown): boolean => isName(value) || typeof value === 'number'
const shownValue = (value: unknown): string => excerpt(JSON.stringify(value) ?? 'none')

type Members = Readonly<Record<string, (value: unknown) => boolean>>

function has(value: unknown, members: Members, exchange: Exchange): Judgement {
  const names = Object.keys(members)
  const wrong = isObject(value) ? names.filter((name) => !members[name]?.(value[name])) : names
  const expected = `an object with ${names.map((name) => `\`${name}\``).join(', ')}`
  return check(wrong.length === 0, expected, shownValue(value), exchange)
}

/** Items of a list are judged; a reply without any has an empty array, which shows no members. */
export function listed(exchange: Exchange, name: string, members: Members): Judgement {
  const list = object(exchange)?.[name]
  if (!Array.isArray(list)) return fail(`an array \`${name}\``, shownValue(list), exchange)
  if (list.length === 0) return inconclusive(`\`${name}\` is empty`)
  return every(list, (item: unknown) => has(item, members, exchange))
}

export const olderSources = (reply: Exchange): Judgement =>
  given(replied(reply), () => listed(reply, 'sources', { type: isThere, title: isThere, relevance: isThere }))

const olderConfidence = (reply: Exchange): Judgement => field(reply, 'confidence', 'number')

/** The name of an event of the variant: where it is written is not shown, so both places are accepted. */
function eventName({ type, json }: SseEvent): string {
  if (type !== 'message') return type
  return isObject(json) && isText(json['type']) ? json['type'] : 'an event without a name'
}

/** Texts and an end. A reply may have no sources, and further events are not excluded. */
export function olderStream(reply: Exchange): Judgement {
  return given(status(reply, 200), () => {
    if (!isStream(reply)) return fail('a stream of events', shown(reply, 80), reply)
    const names = readSseBody(reply).events.map(eventName)
    const isWhole = names.includes('text') && names.includes('done')
    const got = [...new Set(names)].join(', ') || 'no event'
    return check(isWhole, 'the events text, sources and done', got, reply)
  })
}

/** An object `error`; its waiting time is a number, or null if waiting does not help. */
export function nestedError(bad: Exchange): Judgement {
  return given(isLimited(bad) ? pass : refused(bad), () => {
    const mayWait = (value: unknown): boolean => !isThere(value) || typeof value === 'number'
    return has(object(bad)?.['error'], { code: isTextOrNumber, message: isName, retry_after: mayWait }, bad)
  })
}

/** For a key of one agent, a forbidden agent may be hidden and a missing one forbidden: `instead` is inconclusive. */
function refusedAs(accepted: Exchange, bad: Exchange, expected: number, instead: number): Judgement {
  if (bad.response?.status === instead)
    return inconclusive(`\`${bad.name}\` was answered ${instead}, which a key for one agent allows as well`)
  return refusedBeside(accepted, bad, expected)
}

const rateHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const

const rateNumbers = (exchange: Exchange): readonly (number | null)[] =>
  rateHeaders.map((name) => {
    const [value = '', second] = header(exchange, name)
    return second === undefined && /^\d+$/.test(value) ? Number(value) : null
  })

/** The reset is a moment of this century in seconds: less would be relative, more would be milliseconds. */
export function rateHeadersThere(exchange: Exchange): Judgement {
  return given(status(exchange, 200), () => {
    const numbers = rateNumbers(exchange)
    const reset = numbers[2] ?? 0
    const holds = !numbers.includes(null) && reset > 1e9 && reset < 1e11
    const got = rateHeaders.map((name) => `${name}: ${header(exchange, name).join(' | ') || 'none'}`)
    const expected = `a number each in ${rateHeaders.join(', ')}, the last a Unix time in seconds`
    return check(holds, expected, got.join(', '), exchange)
  })
}

/**
 * The window of a limit is not shown except for its end: more requests than the limit, all before the count starts
 * anew, were never all accepted.
 */
export function limitedAbove(first: Exchange, flood: readonly Exchange[]): Judgement {
  return given(replied(first), () => {
    if (flood.some(isLimited)) return pass
    const [limit, , reset] = rateNumbers(first)
    const accepted = flood.filter((one) => replied(one).is === 'pass')
    const last = accepted.at(-1)
    const at = Date.parse((last && header(last, 'date')[0]) ?? '')
    if (limit == null || reset == null || accepted.length < limit || !(at < reset * 1000))
      return inconclusive(`${accepted.length + 1} requests were accepted, too few or too slowly to judge`)
    return fail(`a 429 above ${limit} requests`, `${accepted.length + 1} were accepted`, last)
  })
}

const needing = (requests: number, turns: number) =>
  ({ needs: { older: 'key', extra: true }, cost: { requests, turns } }) as const

const refusals = scenario({
  title: 'a key that nobody has and an agent that is not there are refused, and so is no key',
  exchanges: ['accepted', 'missing', 'unknown', 'nowhere'],
  ...needing(4, 1),
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
      all(
        ...[missing, unknown].map((bad) => refusedBeside(accepted, bad, 401)),
        refusedAs(accepted, nowhere, 404, 403),
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

const read = scenario({
  title: 'a conversation is read with what was said in it',
  exchanges: ['first', 'early', 'next', 'read'],
  ...needing(4, 2),
  async run(t) {
    t.note('agent', t.agent)
    const first = await t.older('first', { message: t.text(40) })
    const id = conversationOf(first) ?? t.stop('the reply names no conversation')
    await t.older('early', { read: id })
    await t.older('next', { message: t.text(2_500), conversation_id: id })
    await t.older('read', { read: id })
  },
  judge: {
    'OLD-CONFIDENCE': ({ first, next }) => every([first, next], olderConfidence),
    'OLD-SOURCES': ({ first, next }) => every([first, next], olderSources),
    'OLD-CONVERSATION': ({ first, early, read }, { notes }) =>
      given(all(replied(first), status(read, 200)), () => {
        const isOf = (expected: unknown) => (value: unknown) => value === expected
        const [id, agent_id] = [isOf(conversationOf(first)), isOf(notes['agent'])]
        const members = { id, agent_id, created_at: isTextOrNumber, messages: Array.isArray }
        const [was = '', is = ''] = [early, read].map((one) => shownValue(object(one)?.['created_at']))
        // It is created once, but may be written more coarsely later.
        const once = was === is || was.length !== is.length
        return all(has(object(read), members, read), check(once, `\`created_at\`: ${was} again`, is, read))
      }),
    'OLD-CONVERSATION-MESSAGES': ({ first, read }) =>
      given(all(replied(first), status(read, 200)), () =>
        listed(read, 'messages', { role: isName, content: isText, timestamp: isTextOrNumber }),
      ),
    'OLD-RATE-HEADERS': ({ read }) => rateHeadersThere(read),
  },
})

const reply = scenario({
  title: 'a message is answered with a reply in the shape of the older variant',
  exchanges: ['reply'],
  ...needing(1, 1),
  run: async (t) => void (await t.older('reply', { message: t.text(40), metadata: { page: '/orders' } })),
  judge: {
    'OLD-SEND': ({ reply }) => accepts(reply),
    'OLD-REPLY': ({ reply }) =>
      all(
        field(reply, 'response', 'string'),
        ...['conversation_id', 'message_id'].map((name) => field(reply, name, 'filled string')),
        field(reply, 'credits_used', 'number'),
      ),
    'OLD-CONFIDENCE': ({ reply }) => olderConfidence(reply),
    'OLD-SOURCES': ({ reply }) => olderSources(reply),
    'OLD-RATE-HEADERS': ({ reply }) => rateHeadersThere(reply),
  },
  observe: { 'GAP-OLDER-SERVED': ({ reply }) => given(replied(reply), () => observed('it is served')) },
})

const badBody = scenario({
  title: 'a body without a text as its message is refused',
  exchanges: ['accepted', 'without', 'number'],
  ...needing(3, 1),
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
      given(refused(without), () => measured(`with a 400: ${shownValue(object(without)?.['error'])}`)),
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
    const limit = rateNumbers(first)[0] ?? t.stop('the response has no limit')
    if (limit > highest) t.stop(`the limit is ${limit}; at most ${highest} is looked for`)
    for (let sent = 0; sent < 2 * limit; sent++)
      if (isLimited(await t.olderMore('flood', { message: t.text(20) }))) return
  },
  judge: {
    'OLD-RATE': ({ first, flood }) => limitedAbove(first, flood),
    'OLD-ERROR': ({ first, flood }) =>
      given(replied(first), () => every(flood.filter(isLimited), nestedError)),
  },
})

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
  ...needing(1, 1),
  run: async (t) => void (await t.older('turn', { message: t.text(40), stream: true })),
  judge: {
    'OLD-STREAM': ({ turn }) => olderStream(turn),
    'OLD-RATE-HEADERS': ({ turn }) => given(olderStream(turn), () => rateHeadersThere(turn)),
  },
  observe: { 'GAP-OLDER-EVENTS': ({ turn }) => given(olderStream(turn), () => observed(membersOf(turn))) },
})

export const olderScenarios: Readonly<Record<string, AnyScenario>> = byId({
  'older-access': { refusals, anotherAgent },
  'older-conversation': { read },
  'older-message': { reply, badBody },
  'older-rate': { limited },
  'older-stream': { reply: streamed },
})
