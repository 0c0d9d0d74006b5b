/** The older variant of the chat interface: its own keys, bodies and replies around the turns of the current route. */
import { hash } from 'node:crypto'
import { limits, type OlderChatReply, type OlderErrorBody } from '../../spec/index.ts'
import { authenticate, uncounted } from '../chat/access.ts'
import { parseBody, tooLargeWords } from '../chat/body.ts'
import { carriedKey } from '../chat/carried-key.ts'
import { keyId, meetKey } from '../chat/claim.ts'
import { createEventLog, finishedLog } from '../chat/event-log.ts'
import { beginTurn } from '../chat/handler.ts'
import { isChatRefusal } from '../chat/refusal.ts'
import type { ChatBody, TurnReply, TurnRequest } from '../chat/turn.ts'
import { isObject, type JsonObject } from '../json.ts'
import { headerValues, type Call } from '../server/call.ts'
import { jsonReply, type EventSource, type HeaderLine, type Reply, type ReplyInfo } from '../server/reply.ts'
import type { ServiceRoute } from '../server/route.ts'
import { conversationKey } from '../tenant/conversations.ts'
import { createKeyBook } from '../tenant/keys.ts'
import { takeOutage } from '../tenant/outage.ts'
import type { Agent, ApiKey } from '../tenant/principals.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { addToHistory } from './books.ts'

/** The simulator's own codes, since none is shown. 402, 409 and 503 are not listed: each has the nearest status. */
const refusals = {
  400: [400, 'invalid_request', 'The body is not a valid request.'],
  401: [401, 'invalid_key', 'The key is missing or not valid.'],
  402: [403, 'insufficient_credits', 'There are not enough credits left.'],
  403: [403, 'forbidden', 'The key lacks the permission for this.'],
  404: [404, 'not_found', 'There is no such agent or conversation.'],
  409: [400, 'idempotency_conflict', 'The idempotency key stands for another turn.'],
  429: [429, 'rate_limited', 'Too many requests; wait before sending again.'],
  500: [500, 'server_error', 'Something went wrong on the server.'],
  503: [500, 'server_error', 'Something went wrong on the server.'],
} as const satisfies Record<number, readonly [status: number, code: string, words: string]>
type RefusedStatus = keyof typeof refusals

/** What every answer to a request has: rate headers of its key. */
interface Visit {
  readonly state: TenantState
  readonly call: Call
  readonly headers: readonly HeaderLine[]
  readonly about: ReplyInfo
}

/** `seconds`: null where waiting is of no use. */
function refused(
  visit: Visit,
  is: RefusedStatus,
  words: string = refusals[is][2],
  seconds: number | null = null,
): Reply {
  const [status, code] = refusals[is]
  const error = { code, message: words, ...visit.state.rules.olderRetryAfter(seconds) }
  return jsonReply(status, { error } satisfies OlderErrorBody, { ...visit.about, code }, visit.headers)
}

/** Every request with a key counts: the older variant says nothing of requests that do not. */
const counted =
  (
    operation: string,
    handle: (visit: Visit, apiKey: ApiKey) => Reply | Promise<Reply>,
  ): ServiceRoute['handle'] =>
  (state, call) => {
    const { rules, rates, clock } = state
    const visit = { state, call, headers: rules.olderRateHeaders(uncounted(state)), about: { operation } }
    const apiKey = authenticate(state, call, state.older.apiKeys)
    if (isChatRefusal(apiKey)) return refused(visit, 401)
    const before = rates.look(apiKey.token, rules.rate, clock.now())
    if (rules.olderExceeded(before)) {
      const limited = { ...visit, headers: rules.olderRateHeaders(before) }
      return refused(limited, 429, undefined, Math.ceil(before.retryAfterMs / 1000))
    }
    const after = rates.spend(apiKey.token, rules.rate, clock.now())
    return handle({ ...visit, headers: rules.olderRateHeaders(after) }, apiKey)
  }

const { messageMaxCharacters } = limits
const idMaxCharacters = 100

/** What is wrong with a body. The description gives no lengths: the most is that of the current route, the least is none. */
function problemOf({ message, conversation_id: id, metadata, stream }: JsonObject, needsMessage: boolean) {
  const isText =
    typeof message === 'string' && message.length <= messageMaxCharacters && message.isWellFormed()
  if (needsMessage && !isText)
    return `message must be a string of at most ${messageMaxCharacters} whole characters; send the text of the customer.`
  if (id !== undefined && (typeof id !== 'string' || id.length > idMaxCharacters))
    return `conversation_id must be a string of at most ${idMaxCharacters} characters; omit it to start a conversation.`
  if (metadata !== undefined && !isObject(metadata)) return 'metadata must be an object.'
  return stream === undefined || typeof stream === 'boolean' ? null : 'stream must be true or false.'
}

/** A string: what is wrong with the body, or with the key in a header. */
function read({ state: { rules }, call }: Visit): { request: ChatBody; key: string } | string {
  if (call.tooLarge) return tooLargeWords(rules)
  const parsed = parseBody(call.body)
  if (isChatRefusal(parsed)) return parsed.words
  const { body, text } = parsed
  const problem = problemOf(body, rules.olderNeedsMessage)
  if (problem !== null) return problem
  const { message, conversation_id: conversation, stream } = body
  const request: ChatBody = {
    // A fault may let anything through: what is not a text is then none.
    message: typeof message === 'string' ? message : '',
    conversationId: typeof conversation === 'string' ? conversation : null,
    stream: stream === true,
    interaction: null,
    text,
  }
  const isKeyed = ['idempotency-key', 'x-idempotency-key'].some((name) => headerValues(call, name).length > 0)
  if (!rules.olderTakesKeys || !isKeyed) return { request, key: '' }
  const carried = carriedKey(call, {}, rules)
  return isChatRefusal(carried) ? carried.words : { request, key: carried.key }
}

function olderChat(visit: Visit, apiKey: ApiKey): Reply | Promise<Reply> {
  const { state, call } = visit
  const agent = state.agents.get(call.params['agent_id'] ?? '')
  if (!agent?.accounts.includes(apiKey.account)) return refused(visit, 404)
  if (!state.rules.olderKeyFits(apiKey, agent))
    return refused(visit, 403, 'The key was made for another agent.')
  if (!agent.allowed) return refused(visit, 403, 'The plan does not allow this agent.')
  if (takeOutage(state.outages, 'request', { agentId: agent.id, apiKey })) return refused(visit, 500)
  const body = read(visit)
  if (typeof body === 'string') return refused(visit, 400, body)
  const { id: agentId, name } = agent
  const about = { ...visit.about, agent: name, agentId, account: apiKey.account, key: body.key }
  return turn({ ...visit, about }, { apiKey, agent, ...body })
}

/** No `await` stands between look and claim, as on the current route. */
function turn(visit: Visit, asked: TurnRequest): Reply | Promise<Reply> {
  const { state, call } = visit
  // Where no key came, or none is looked at, each turn has an empty one of its own.
  const book = asked.key === '' ? createKeyBook() : state.rules.book(state, call)
  const messageId = `msg_${asked.key === '' ? state.random.word(16) : hash('sha256', keyId(state, asked)).slice(0, 16)}`
  const met = meetKey(state, book, asked)
  if (isChatRefusal(met)) return refused(visit, met.status)
  if (met)
    return replayed(
      { ...visit, about: { ...visit.about, replay: true } },
      asked,
      bodyOf(state, asked.agent, met.reply, messageId),
    )
  const askedAt = state.clock.date()
  const said: { body?: OlderChatReply } = {}
  const reply = beginTurn({ ...visit }, book, asked, ({ conversation }) => (turnReply) => {
    said.body = bodyOf(state, asked.agent, turnReply, messageId)
    const { response } = turnReply
    addToHistory(state.older, conversation, [
      { role: 'user', content: asked.request.message, at: askedAt },
      ...(response === '' ? [] : [{ role: 'assistant', content: response, at: state.clock.date() } as const]),
    ])
  })
  const translate = (made: Reply): Reply => translated(visit, made, () => said.body)
  return reply instanceof Promise ? reply.then(translate) : translate(reply)
}

/** How sure an agent is: the same for every reply, so that nobody takes it for more. */
const confidence = 0.9
/** Lengths of a reply, in characters: a few words are from nowhere, and a long text is from two places. */
const [fewWords, longText] = [24, 300]

function bodyOf(
  { rules }: TenantState,
  { name }: Agent,
  turnReply: TurnReply,
  messageId: string,
): OlderChatReply {
  const { response, conversation, used } = turnReply
  const sources = [
    { type: 'document', title: `Handbook of the agent ${name}`, relevance: 0.8 },
    { type: 'website', title: `Questions to the agent ${name}`, relevance: 0.6 },
  ]
  return {
    response,
    conversation_id: conversation,
    message_id: messageId,
    confidence,
    sources: sources.slice(0, response.length < fewWords ? 0 : response.length < longText ? 1 : 2),
    credits_used: rules.showCredits(used),
  }
}

/** The sources, and the end. */
function lastEvents({ rules }: TenantState, { response: _response, sources, ...rest }: OlderChatReply) {
  return [
    rules.olderEvent(
      'sources',
      sources.map((source) => ({ ...source })),
    ),
    rules.olderEvent('done', rest),
  ]
}

function replayed({ state, headers, about }: Visit, { request }: TurnRequest, body: OlderChatReply): Reply {
  if (!request.stream) return jsonReply(200, { ...body }, about, headers)
  const text = body.response === '' ? [] : [state.rules.olderEvent('text', body.response)]
  return {
    kind: 'stream',
    status: 200,
    headers,
    events: finishedLog([...text, ...lastEvents(state, body)]),
    about,
  }
}

/** The answer of the current route, as the older variant has it. `said`: the reply, once the turn is committed. */
function translated(visit: Visit, reply: Reply, said: () => OlderChatReply | undefined): Reply {
  if (reply.kind === 'stream' && 'follow' in reply.events)
    return { ...reply, events: translatedEvents(visit.state, reply.events, said) }
  if (reply.kind !== 'json') return reply
  if (reply.status !== 200) return refused(visit, reply.status as RefusedStatus)
  return jsonReply(200, { ...said() }, reply.about, visit.headers)
}

/** There is no event for an error: the stream just ends. */
function translatedEvents(
  state: TenantState,
  events: EventSource,
  said: () => OlderChatReply | undefined,
): EventSource {
  const log = createEventLog()
  events.follow({
    event: ({ type, token }) => {
      const body = said()
      if (type === 'token' && typeof token === 'string') log.push(state.rules.olderEvent('text', token))
      if (type === 'error') log.end(new Error('The turn failed.'))
      if (type === 'done' && body) for (const event of lastEvents(state, body)) log.push(event)
      return true
    },
    end: (reason) => log.end(reason),
  })
  return log
}

const iso = (at: number): string => new Date(at).toISOString()

/** That of another agent of the account is there and not for this key; those of other accounts are not disclosed. */
function olderConversation(visit: Visit, { account, agent }: ApiKey): Reply {
  const { histories } = visit.state.older
  const id = visit.call.params['conversation_id'] ?? ''
  const own = histories.get(conversationKey({ account, agent: agent ?? '', id }))
  if (!own) {
    const isKnown = histories.values().some((other) => other.id === id && other.account === account)
    return refused(visit, isKnown ? 403 : 404)
  }
  const messages = own.said.map(({ role, content, at }) => ({ role, content, timestamp: iso(at) }))
  const body = { id: own.id, agent_id: own.agent, created_at: iso(own.createdAt), messages }
  return jsonReply(200, body, visit.about, visit.headers)
}

const served: ServiceRoute['served'] = ({ rules }) => rules.servesOlder

export const olderRoutes: readonly ServiceRoute[] = [
  { method: 'POST', path: '/v1/agents/:agent_id/chat', handle: counted('older-chat', olderChat), served },
  {
    method: 'GET',
    path: '/v1/conversations/:conversation_id',
    handle: counted('older-conversation', olderConversation),
    served,
  },
]
