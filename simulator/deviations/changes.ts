/** The small changes to an answer that deviations are made of. */
import { isObject, type Json, type JsonObject } from '../json.ts'
import { headerValues, type Call } from '../http/call.ts'
import type { About, Header, JsonReply, Reply, StreamEvent } from '../http/reply.ts'
import type { RefusalCode } from '../chat/refusal.ts'
import type { Asked } from '../chat/turn.ts'
import type { RequestRules, Rules } from '../rules.ts'
import { creditsOf } from '../world/credits.ts'
import type { ApiKey } from '../world/principals.ts'
import type { World } from '../world/world.ts'
import type { Hooks } from './deviation.ts'

/** Whether a deviation concerns an answer. */
export type When = (about: About, call: Call) => boolean
const always: When = () => true

/** The body of a chat request as it came, or an empty object. */
export function sent(call: Call): JsonObject {
  try {
    const body: unknown = JSON.parse(Buffer.from(call.body).toString('utf8'))
    return isObject(body) ? body : {}
  } catch {
    return {}
  }
}

export function wantsStream(call: Call): boolean {
  return sent(call)['stream'] === true
}

/** A member as text: anything but a text, a number or a boolean is none. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'object' || value === undefined ? '' : String(value)
}

export function without(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

/** Changes refusals with one of these codes; without codes, every one. */
export function onRefusal(
  codes: readonly RefusalCode[],
  change: (reply: JsonReply, call: Call, world: World) => Reply,
): Hooks {
  const concerns = ({ about, status }: JsonReply): boolean =>
    status >= 400 && (codes.length === 0 || codes.some((code) => code === about.code))
  return {
    reply: (reply, call, world) =>
      reply.kind === 'json' && concerns(reply) ? change(reply, call, world) : reply,
  }
}

/** Answers such refusals with another status. */
export function withStatus(status: number, ...codes: readonly RefusalCode[]): Hooks {
  return onRefusal(codes, (reply) => ({ ...reply, status }))
}

/** Shows another code, or none, where this one belongs. */
export function withCode(from: RefusalCode, to: string | null): (rules: Rules) => Partial<Rules> {
  return (rules) => ({
    errorLayout: (code, words) => rules.errorLayout(code === from ? to : code, words),
  })
}

/** Changes the body of replies that go out as JSON. */
export function onJson(
  change: (body: JsonObject, about: About, call: Call, world: World) => JsonObject,
  when: When = always,
): Hooks {
  return {
    reply: (reply, call, world) =>
      isChatReply(reply) && when(reply.about, call)
        ? { ...reply, body: change(reply.body, reply.about, call, world) }
        : reply,
  }
}

interface JsonChatReply extends JsonReply {
  readonly body: JsonObject
}

/** A reply of the chat route that goes out as JSON. */
export function isChatReply(reply: Reply): reply is JsonChatReply {
  return (
    reply.kind === 'json' && reply.status === 200 && reply.about.operation === 'chat' && isObject(reply.body)
  )
}

type EventChange = (event: StreamEvent, about: About, world: World) => readonly StreamEvent[]

/** Puts other events in the place of each, or none. */
export function onEvents(change: EventChange): Hooks {
  return {
    async *events(events, about, world) {
      for await (const event of events) yield* change(event, about, world)
    },
  }
}

/** Changes the events of one type. */
export function onEvent(type: string, change: (event: StreamEvent, about: About) => JsonObject): Hooks {
  return onEvents((event, about) => [event.type === type ? { type, ...change(event, about) } : event])
}

/** Changes the final fields of a reply, as JSON and in `done`. */
export function onReply(change: (fields: JsonObject, about: About, world: World) => JsonObject): Hooks {
  return {
    ...onJson((body, about, _call, world) => change(body, about, world)),
    ...onEvents((event, about, world) => [
      event.type === 'done' ? { type: 'done', ...change(without(event, 'type'), about, world) } : event,
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
export function onText(change: (text: string) => string): Hooks {
  return {
    async *bytes(chunks) {
      for await (const chunk of chunks) yield Buffer.from(change(Buffer.from(chunk).toString('utf8')))
    },
  }
}

/** The same answer as other text of another type. */
export function asText(reply: JsonReply, contentType: string, text: string): Reply {
  const headers: readonly Header[] = [...reply.headers, ['Content-Type', contentType]]
  return { kind: 'bytes', status: reply.status, headers, chunks: [Buffer.from(text)], about: reply.about }
}

/** An answer as a stream of these events. */
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

/** Takes one rule of the body out, so that what it forbids is let through. */
export function withoutBodyRule(...names: readonly string[]): (rules: Rules) => Partial<Rules> {
  return (rules) => ({ bodyRules: rules.bodyRules.filter((rule) => !names.includes(rule.name)) })
}

/** Puts another judge in the place of a rule of the body. */
export function withBodyRule(
  name: string,
  objects: (body: JsonObject, rules: RequestRules) => string | null,
): (rules: Rules) => Partial<Rules> {
  return (rules) => ({
    bodyRules: rules.bodyRules.map((rule) => (rule.name === name ? { name, objects } : rule)),
  })
}

/** Takes one condition for calling an agent out. */
export function withoutPermission(name: string): (rules: Rules) => Partial<Rules> {
  return (rules) => ({ permissions: rules.permissions.filter((rule) => rule.name !== name) })
}

/** Takes credits from the account of an answer, which nobody is told. */
export function charge({ account }: About, world: World, amount = 1): void {
  const found = account === undefined ? undefined : world.accounts.get(account)
  if (found) found.balance -= creditsOf(amount)
}

/** The API key of a call, if it is one. */
export function apiKeyOf(call: Call, world: World): ApiKey | undefined {
  const [authorization = ''] = headerValues(call, 'authorization')
  return world.apiKeys.get(world.rules.bearer(authorization) ?? '')
}

/** A refused request as the rules see it; null where it names no agent, key or caller. */
export function requestOf(call: Call, world: World, apiKey = apiKeyOf(call, world)): Asked | null {
  const { message, idempotency_key: inBody } = sent(call)
  const agent = world.agents.get(call.params['agentId'] ?? '')
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

/** Another id for the same thing; the same id gives the same one. */
export function renamer(world: World): (id: string) => string {
  const names = new Map<string, string>()
  return (id) => {
    const name = names.get(id) ?? world.random.uuid()
    names.set(id, name)
    return name
  }
}
