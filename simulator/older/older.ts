/** The older variant of the chat interface: its own keys, bodies and replies around the turns of the current route. */
import { limits, type OlderChatReply, type OlderErrorBody } from '../../spec/index.ts'
import { authenticate, uncounted, beginTurn, type ChatVisit } from '../chat/handler.ts'
import { parseBody, tooLargeWords } from '../chat/body.ts'
import { EventLog } from '../chat/event-log.ts'
import { isChatRefusal } from '../edge/refusal.ts'
import { type ChatBody, type TurnReply, type TurnRequest, createKeyBook } from '../tenant/keys.ts'
import { isObject } from '../json.ts'
import { jsonReply, type Reply } from '../edge/reply.ts'
import type { ServiceRoute } from '../route.ts'
import { conversationKey } from '../tenant/conversations.ts'
import { takeOutage } from '../tenant/rate.ts'
import type { Agent, ApiKey } from '../tenant/principals.ts'
import type { TenantState } from '../rules/tenant-state.ts'
import { addToHistory } from '../tenant/older-books.ts'

/** The simulator's own codes, since none is shown. 402, 409 and 503 are not listed: each has the nearest status. */
const refusals = {
  400: [400, 'invalid_request', 'The body is not a valid request.'],
  401: [401, 'invalid_key', 'The key is missing or not valid.'],
  402: [403, 'insufficient_credits', 'There are not enough credits left.'],
  403: [403, 'forbidden', 'The key lacks the permission for this.'],
  404: [404, 'not_found', 'There is no such agent or conversation.'],
  409: [400, 'conflict', 'The message does not fit the state of its conversation.'],
  429: [429, 'rate_limited', 'Too many requests; wait before sending again.'],
  500: [500, 'server_error', 'Something went wrong on the server.'],
  503: [500, 'server_error', 'Something went wrong on the server.'],
} as const satisfies Record<number, readonly [status: number, code: string, words: string]>

/** `seconds`: null where waiting is of no use. */
function refused(
  { state, about, headers }: ChatVisit,
  is: keyof typeof refusals,
  words: string = refusals[is][2],
  seconds: number | null = null,
): Reply {
  const [status, code] = refusals[is]
  const error = { code, message: words, ...state.rules.olderRetryAfter(seconds) }
  return jsonReply(status, { error } satisfies OlderErrorBody, { ...about, code }, headers)
}

type Handle = (visit: ChatVisit, apiKey: ApiKey) => Reply | Promise<Reply>

/** Every request with a key counts: the older variant says nothing of requests that do not. */
const route = (method: 'GET' | 'POST', path: string, operation: string, handle: Handle): ServiceRoute => ({
  method,
  path,
  served: ({ rules }) => rules.servesOlder,
  handle(state, call) {
    const { rules, rates, clock } = state
    const headers = rules.olderRateHeaders(uncounted(state))
    const visit: ChatVisit = { state, call, headers, about: { operation } }
    const apiKey = authenticate(state, call, state.older.apiKeys)
    if (isChatRefusal(apiKey)) return refused(visit, 401)
    const before = rates.look(apiKey.token, rules.rate, clock.now())
    const isOver = rules.olderExceeded(before)
    visit.headers = rules.olderRateHeaders(
      isOver ? before : rates.spend(apiKey.token, rules.rate, clock.now()),
    )
    return isOver
      ? refused(visit, 429, undefined, Math.ceil(before.retryAfterMs / 1000))
      : handle(visit, apiKey)
  },
})

const { messageMaxCharacters: most } = limits

/** A string: what is wrong. The description gives no lengths: the most is that of the current route, the least is none. */
function read({ state: { rules }, call }: ChatVisit): ChatBody | string {
  if (call.tooLarge) return tooLargeWords(rules)
  const parsed = parseBody(call.body)
  if (isChatRefusal(parsed)) return parsed.words
  const { message, conversation_id: id, metadata, stream } = parsed.body
  const isText = typeof message === 'string'
  if (rules.olderNeedsMessage && !(isText && message.length <= most && message.isWellFormed()))
    return `message must be a string of at most ${most} whole characters; send the text of the customer.`
  if (id !== undefined && (typeof id !== 'string' || id.length > 100))
    return 'conversation_id must be a string of at most 100 characters; omit it to start a conversation.'
  if (metadata !== undefined && !isObject(metadata)) return 'metadata must be an object.'
  if (stream !== undefined && typeof stream !== 'boolean') return 'stream must be true or false.'
  // A fault may let anything through: what is not a text is then none.
  const text = isText ? message : ''
  return {
    message: text,
    conversationId: id ?? null,
    stream: stream ?? false,
    interaction: null,
    text: parsed.text,
  }
}

function olderChat(visit: ChatVisit, apiKey: ApiKey): Reply | Promise<Reply> {
  const { state, call } = visit
  const agent = state.agents.get(call.params['agent_id'] ?? '')
  if (!agent?.accounts.includes(apiKey.account)) return refused(visit, 404)
  if (!state.rules.olderKeyFits(apiKey, agent))
    return refused(visit, 403, 'The key was made for another agent.')
  if (!agent.allowed) return refused(visit, 403, 'The plan does not allow this agent.')
  if (takeOutage(state.outages, 'request', { agentId: agent.id, apiKey })) return refused(visit, 500)
  const request = read(visit)
  if (typeof request === 'string') return refused(visit, 400, request)
  const about = { agent: agent.name, agentId: agent.id, account: apiKey.account }
  return turn({ ...visit, about: { ...visit.about, ...about } }, { apiKey, agent, request, key: '' })
}

function turn(visit: ChatVisit, asked: TurnRequest): Reply | Promise<Reply> {
  const { state, headers } = visit
  const { agent, request } = asked
  const messageId = `msg_${state.random.word(16)}`
  const askedAt = state.clock.date()
  let said: OlderChatReply | undefined
  // The variant has no idempotency keys: each turn has an empty one, in a book of its own.
  const reply = beginTurn({ ...visit }, createKeyBook(), asked, ({ conversation }) => (made) => {
    said = bodyOf(state, agent, made, messageId)
    const answer = { role: 'assistant', content: said.response, at: state.clock.date() } as const
    const question = { role: 'user', content: request.message, at: askedAt } as const
    addToHistory(state.older, conversation, said.response === '' ? [question] : [question, answer])
  })
  /** The answer of the current route, as the older variant has it. */
  const translated = (made: Reply): Reply => {
    if (made.kind === 'stream' && 'follow' in made.events) {
      const events = new EventLog()
      made.events.follow({
        event: ({ type, token }) => {
          if (type === 'token' && typeof token === 'string')
            events.push(state.rules.olderEvent('text', token))
          // There is no event for an error: the stream just ends.
          if (type === 'error') events.end(new Error('The turn failed.'))
          if (type === 'done' && said) for (const event of lastEvents(state, said)) events.push(event)
          return true
        },
        end: (reason) => events.end(reason),
      })
      return { ...made, events }
    }
    if (made.kind !== 'json') return made
    if (made.status !== 200) return refused(visit, made.status as keyof typeof refusals)
    return jsonReply(200, { ...said }, made.about, headers)
  }
  return reply instanceof Promise ? reply.then(translated) : translated(reply)
}

/** The confidence is the same for every reply, so that nobody takes it for more; a long text is from two places. */
function bodyOf({ rules }: TenantState, { name }: Agent, made: TurnReply, id: string) {
  const sources = [
    { type: 'document', title: `Handbook of the agent ${name}`, relevance: 0.8 },
    { type: 'website', title: `Questions to the agent ${name}`, relevance: 0.6 },
  ]
  return {
    response: made.response,
    conversation_id: made.conversation,
    message_id: id,
    confidence: 0.9,
    sources: sources.slice(0, made.response.length < 300 ? 1 : 2),
    credits_used: rules.showCredits(made.used),
  } satisfies OlderChatReply
}

/** The sources, and the end. */
function lastEvents({ rules }: TenantState, { response: _response, sources, ...rest }: OlderChatReply) {
  const listed = sources.map((source) => ({ ...source }))
  return [rules.olderEvent('sources', listed), rules.olderEvent('done', rest)]
}

/** That of another agent of the account is there and not for this key; those of other accounts are not disclosed. */
function olderConversation(visit: ChatVisit, { account, agent }: ApiKey): Reply {
  const { histories } = visit.state.older
  const id = visit.call.params['conversation_id'] ?? ''
  const own = histories.get(conversationKey({ account, agent: agent ?? '', id }))
  if (!own) {
    const isKnown = histories.values().some((other) => other.id === id && other.account === account)
    return refused(visit, isKnown ? 403 : 404)
  }
  const iso = (at: number): string => new Date(at).toISOString()
  const messages = own.said.map(({ role, content, at }) => ({ role, content, timestamp: iso(at) }))
  const body = { id: own.id, agent_id: own.agent, created_at: iso(own.createdAt), messages }
  return jsonReply(200, body, visit.about, visit.headers)
}

export const olderRoutes: readonly ServiceRoute[] = [
  route('POST', '/v1/agents/:agent_id/chat', 'older-chat', olderChat),
  route('GET', '/v1/conversations/:conversation_id', 'older-conversation', olderConversation),
]
