/** The small changes to an answer that modifications are made of. */
import { errorBody, refuseChat, type ChatRefusalCode } from '../edge/refusal.ts'
import {
  type Call,
  headerValues,
  jsonReply,
  type ReplyInfo,
  type HeaderLine,
  type JsonReply,
  type Reply,
  type StreamEvent,
} from '../edge/reply.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { remembered } from '../tenant/book.ts'
import { toCredits } from '../tenant/conversations.ts'
import type { TenantState, Rules } from '../rules/tenant-state.ts'
import type { TenantHooks } from './modification.ts'
import type { ChatTenant, RequestRules } from '../rules/chat.ts'
import type { TurnRequest } from '../tenant/keys.ts'
import type { ApiKey } from '../tenant/principals.ts'

type When = (about: ReplyInfo, call: Call) => boolean

/** A member as text: anything but a text, a number or a boolean is none. */
export function memberText(value: Json | undefined): string {
  return typeof value === 'object' || value === undefined ? '' : String(value)
}

export function withoutMembers(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

/** Changes refusals with one of these codes; without codes, every one. */
export function onRefusal(
  codes: readonly ChatRefusalCode[],
  change: (reply: JsonReply, call: Call, state: TenantState) => Reply,
): TenantHooks {
  const concerns = ({ about, status }: JsonReply): boolean =>
    status >= 400 && (codes.length === 0 || codes.some((code) => code === about.code))
  return {
    reply: (reply, call, state) =>
      reply.kind === 'json' && concerns(reply) ? change(reply, call, state) : reply,
  }
}

export function withStatus(status: number, ...codes: readonly ChatRefusalCode[]): TenantHooks {
  return onRefusal(codes, (reply) => ({ ...reply, status }))
}

/** A refusal in the place of an answer; its status and its words are those of the code. */
export function asRefusal(code: ChatRefusalCode, { about }: Reply, { rules }: TenantState): Reply {
  const refusal = refuseChat(code)
  return jsonReply(refusal.status, errorBody(refusal, rules), { ...about, code })
}

/** Changes the body of replies that go out as JSON. */
export function onJson(
  change: (body: JsonObject, about: ReplyInfo, call: Call, state: TenantState) => JsonObject,
  when: When = () => true,
): TenantHooks {
  return {
    reply: (reply, call, state) =>
      isChatReply(reply) && when(reply.about, call)
        ? { ...reply, body: change(reply.body, reply.about, call, state) }
        : reply,
  }
}

interface JsonChatReply extends JsonReply {
  readonly body: JsonObject
}

export function isChatReply(reply: Reply): reply is JsonChatReply {
  return (
    reply.kind === 'json' && reply.status === 200 && reply.about.operation === 'chat' && isObject(reply.body)
  )
}

type EventChange = (event: StreamEvent, about: ReplyInfo, state: TenantState) => readonly StreamEvent[]

/** Puts other events in the place of each, or none. */
export function onEvents(change: EventChange): TenantHooks {
  return {
    async *events(events, about, state) {
      for await (const event of events) yield* change(event, about, state)
    },
  }
}

export function onEvent(
  type: string,
  change: (event: StreamEvent, about: ReplyInfo) => JsonObject,
): TenantHooks {
  return onEvents((event, about) => [event.type === type ? { type, ...change(event, about) } : event])
}

/** Changes the final fields of a reply, as JSON and in `done`. */
export function onReply(
  change: (fields: JsonObject, about: ReplyInfo, state: TenantState) => JsonObject,
): TenantHooks {
  return {
    ...onJson((body, about, _call, state) => change(body, about, state)),
    ...onEvents((event, about, state) => [
      event.type === 'done'
        ? { type: 'done', ...change(withoutMembers(event, 'type'), about, state) }
        : event,
    ]),
  }
}

/** Every event of a stream in one array, so that their order can be changed. */
export async function collected(events: AsyncIterable<StreamEvent>): Promise<readonly StreamEvent[]> {
  const all: StreamEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

/** The bytes of a stream, each write changed as text. */
export function onText(change: (text: string) => string): TenantHooks {
  return {
    async *bytes(chunks) {
      for await (const chunk of chunks) yield Buffer.from(change(Buffer.from(chunk).toString('utf8')))
    },
  }
}

export function asText(reply: JsonReply, contentType: string, text: string): Reply {
  const headers: readonly HeaderLine[] = [...reply.headers, ['Content-Type', contentType]]
  return { kind: 'bytes', status: reply.status, headers, chunks: [Buffer.from(text)], about: reply.about }
}

export function asStream(reply: JsonReply, events: readonly StreamEvent[]): Reply {
  return {
    ...reply,
    kind: 'stream',
    status: 200,
    events: (async function* () {
      yield* events
    })(),
  }
}

/** Refuses with this code where it applies, whatever the answer was. */
export function refuseWhere(
  code: ChatRefusalCode,
  applies: (reply: Reply, call: Call, state: TenantState) => boolean,
): TenantHooks {
  return {
    reply: (reply, call, state) => (applies(reply, call, state) ? asRefusal(code, reply, state) : reply),
  }
}

/** Charges requests that are refused with this code. */
export function charging(code: ChatRefusalCode): TenantHooks {
  return onRefusal([code], (reply, call, state) => {
    const account = reply.about.account ?? apiKeyOfCall(call, state)?.account
    charge({ ...reply.about, ...(account === undefined ? {} : { account }) }, state)
    return reply
  })
}

/** Takes credits from the account of an answer, without reporting it. */
export function charge({ account }: ReplyInfo, state: TenantState, amount = 1): void {
  const found = account === undefined ? undefined : state.accounts.get(account)
  if (found) found.balance -= toCredits(amount)
}

/** Another id for the same thing; the same id gives the same one. */
export function renamer(state: TenantState): (id: string) => string {
  const names = new Map<string, string>()
  return (id) => remembered(names, id, () => state.random.uuid())
}

/** The body of a chat request as it came, or an empty object. */
export function sentBody(call: Call): JsonObject {
  try {
    const body: unknown = JSON.parse(Buffer.from(call.body).toString('utf8'))
    return isObject(body) ? body : {}
  } catch {
    return {}
  }
}

export function wantsStream(call: Call): boolean {
  return sentBody(call)['stream'] === true
}

export function apiKeyOfCall(call: Call, state: ChatTenant): ApiKey | undefined {
  const [authorization = ''] = headerValues(call, 'authorization')
  return state.apiKeys.get(state.rules.bearer(authorization) ?? '')
}

/** A refused request as the rules see it; null where it names no agent, key or caller. */
export function turnOfCall(
  call: Call,
  state: ChatTenant,
  apiKey = apiKeyOfCall(call, state),
): TurnRequest | null {
  const { message, idempotency_key: inBody } = sentBody(call)
  const agent = state.agents.get(call.params['agentId'] ?? '')
  const key = typeof inBody === 'string' ? inBody : headerValues(call, 'idempotency-key')[0]
  if (!agent || !apiKey || key === undefined) return null
  const text = typeof message === 'string' ? message : ''
  return {
    apiKey,
    agent,
    key,
    request: { message: text, conversationId: null, stream: false, interaction: null, text },
  }
}

/** Shows another code, or none, where this one belongs. */
export function withCode(from: ChatRefusalCode, to: string | null): (rules: Rules) => Partial<Rules> {
  return (rules) => ({
    errorLayout: (code, words) => rules.errorLayout(code === from ? to : code, words),
  })
}

/** Takes one rule of the body out, so that what it forbids is let through. */
export function withoutBodyRule(...names: readonly string[]): (rules: Rules) => Partial<Rules> {
  return (rules) => ({ bodyRules: rules.bodyRules.filter((rule) => !names.includes(rule.name)) })
}

export function withBodyRule(
  name: string,
  objects: (body: JsonObject, rules: RequestRules) => string | null,
): (rules: Rules) => Partial<Rules> {
  return (rules) => ({
    bodyRules: rules.bodyRules.map((rule) => (rule.name === name ? { name, objects } : rule)),
  })
}

export function withoutPermission(name: string): (rules: Rules) => Partial<Rules> {
  return (rules) => ({ permissions: rules.permissions.filter((rule) => rule.name !== name) })
}

/** Puts `live-` before keys that begin with this mark, wherever they are handed out and sent. */
export function withLongerKeys(mark: string): (rules: Rules) => Partial<Rules> {
  const longer = `live-${mark}`
  return (rules) => ({
    shownKey: (token) => rules.shownKey(token).replace(new RegExp(`^${mark}`), longer),
    bearer: (authorization) => rules.bearer(authorization)?.replace(new RegExp(`^${longer}`), mark) ?? null,
  })
}
