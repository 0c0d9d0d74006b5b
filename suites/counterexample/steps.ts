/** From recorded exchanges to steps: what was sent, with references, and which of it was under way together. */
import { isObject } from '../../spec/json.ts'
import type { Dialect } from '../config/dialect.ts'
import { type Exchange, type Header, parseJson, type Json, decode } from '../wire/exchange.ts'
import { token } from '../../bundle/redaction/search.ts'
import type { AtOnce, StepBody, Reference, ReplayStep, StepText } from './script.ts'
import * as place from './references.ts'
import { choosingFor } from '../runner/plan/operation-choice.ts'
import { ScenarioEnded } from '../scenario/ending.ts'
import type { AnyScenario, Setting } from '../scenario/scenario.ts'
import { settle } from '../runner/states/settings.ts'
import type { Target } from '../config/target.ts'

export interface Recorded {
  exchanges: readonly Exchange[]
  dialect: Dialect
  agentOf: AgentOf
}

interface StepContext extends Recorded {
  labels: place.Labels
  earlier: readonly place.IdentifiedExchange[]
}

/** A pause that a person would notice was meant; anything less is the time that sending takes. */
const leastPauseMs = 250
const barrierMs = 15

export function writeSteps(recorded: Recorded): readonly (ReplayStep | AtOnce)[] {
  const exchanges = identifyExchanges(recorded.exchanges)
  const context = { ...recorded, labels: place.createLabels() }
  const written = exchanges.map(({ id, exchange }, at) => ({
    exchange,
    step: stepOf(id, exchange, { ...context, earlier: exchanges.slice(0, at) }),
  }))
  // Those whose times overlap, one with the next, are a group; the pauses between groups are kept.
  const groups: Placed[][] = []
  let end = -Infinity
  for (const one of written) {
    const group = groups.at(-1)
    if (group && one.exchange.sentAt < end) group.push(one)
    else groups.push([paused(one, end)])
    end = Math.max(end, one.exchange.endedAt)
  }
  return groups.map(asGroup)
}

function identifyExchanges(exchanges: readonly Exchange[]): readonly place.IdentifiedExchange[] {
  const counts = Map.groupBy(exchanges, ({ name }) => name)
  const seen = new Map<string, number>()
  return exchanges.map((exchange) => {
    const name = exchange.name.replaceAll(/[^\w-]/g, '-')
    const at = (seen.get(name) ?? 0) + 1
    seen.set(name, at)
    return { id: counts.get(exchange.name)?.length === 1 ? name : `${name}-${at}`, exchange }
  })
}

function stepOf(id: string, exchange: Exchange, context: StepContext): ReplayStep {
  const { request, response } = exchange
  // Keys are met in the headers first, so that a body that is no JSON has them as well.
  const headers = request.headers.flatMap((header) => headerOf(header, context))
  const body = request.body.length > 0 ? { body: bodyOf(request.body, context) } : {}
  const pieces: (string | Reference)[] = []
  let before = ''
  for (const part of request.path.split(/(?<=\/)/)) {
    const [, segment = '', rest = ''] = /^([^/?]*)(.*)$/.exec(part) ?? []
    const reference = segment === '' ? null : segmentOf(before, segment, context)
    pieces.push(...(reference ? [reference, rest] : [part]))
    before += part
  }
  return {
    id,
    method: request.method,
    path: pieces,
    headers,
    ...body,
    ...leaving(exchange),
    was: response?.status ?? null,
  }
}

function leaving({ failure, response, sentAt, endedAt }: Exchange): Pick<ReplayStep, 'leavesMs'> {
  if (failure?.kind !== 'aborted') return {}
  return { leavesMs: response && response.chunks.length > 0 ? null : Math.round(endedAt - sentAt) }
}

/** Set by the HTTP client. */
const omittedHeaders = new Set(
  'host connection content-length accept-encoding user-agent traceparent'.split(' '),
)

function headerOf([name, value]: Header, context: StepContext): readonly (readonly [string, StepText])[] {
  const plain = name.toLowerCase()
  if (omittedHeaders.has(plain)) return []
  if (token.test(value)) return [[name, value]]
  if (plain === 'cookie') return [[name, [{ secret: `header:${name}` }]]]
  if (plain === 'authorization') return [[name, credential(value, context)]]
  if (plain === 'idempotency-key' || plain === 'x-idempotency-key') return [[name, keyOf(value, context)]]
  return [[name, value]]
}

/** The scheme stays; the rest is a key that nobody owns. */
function credential(value: string, { labels }: StepContext): StepText {
  const [, scheme = '', rest = ''] = /^(\S+ +)?(.*)$/.exec(value) ?? []
  return rest.length < 8 ? value : [scheme, labels.unknownKey(rest)].filter((piece) => piece !== '')
}

const keyOf = (value: string, { labels }: StepContext): StepText => place.keyText(value, labels) ?? value

function segmentOf(before: string, segment: string, context: StepContext): Reference | null {
  const { agentOf, labels, earlier, dialect } = context
  if (!/^\/(?:api\/v1\/chat|api\/agents|v1\/agents)\/$/.test(before))
    return place.idInPath(before, segment, earlier, dialect)
  const id = decodeURIComponent(segment)
  const agent = agentOf(id)
  if (agent !== null) return { agent }
  return place.isUuid(id) ? labels.uuid(id) : null
}

function bodyOf(bytes: Uint8Array, context: StepContext): StepBody {
  const { valid, text } = decode(bytes)
  if (!valid) return { base64: Buffer.from(bytes).toString('base64') }
  const parsed = parseJson(text)
  const members = parsed.ok && isObject(parsed.value) ? parsed.value : null
  const written = members && !text.includes('"$') ? withReferences(members, context) : null
  if (written && JSON.stringify(members) === text) return { json: written }
  return { text: place.textWithKeys(text, context.labels) }
}

/** A body whose places hold references; its keys get their labels whether or not it is written so. */
function withReferences(members: Readonly<Record<string, Json>>, context: StepContext): Json {
  const { earlier, dialect, labels } = context
  const referring: Readonly<Record<string, (value: Json) => Json>> = {
    idempotency_key: (value) => (typeof value === 'string' ? asJson(keyOf(value, context)) : value),
    conversation_id(value) {
      const found = place.conversation(value, earlier, labels)
      return found ? asJson([found]) : value
    },
    interaction(value) {
      const found = place.interaction(value, earlier, dialect)
      if (!found || !isObject(value)) return value
      const copies = Object.entries(found).map(([name, from]) => [name, { $copy: { ...from } }] as const)
      return { ...value, ...Object.fromEntries(copies) }
    },
  }
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, referring[name]?.(value) ?? value]),
  )
}

function asJson(text: StepText): Json {
  return typeof text === 'string' ? text : { $text: text }
}

interface Placed {
  exchange: Exchange
  step: ReplayStep
}

function paused({ exchange, step }: Placed, end: number): Placed {
  const pause = exchange.sentAt - end
  return {
    exchange,
    step: pause > leastPauseMs && pause < Infinity ? { ...step, waitMs: Math.round(pause) } : step,
  }
}

function asGroup(group: readonly Placed[]): ReplayStep | AtOnce {
  const [first, ...rest] = group
  if (!first) throw new Error('a group of steps is empty')
  if (rest.length === 0) return first.step
  const atOnce = group.map(({ exchange, step }) => {
    const afterMs = Math.round(exchange.sentAt - first.exchange.sentAt)
    return afterMs > barrierMs ? { ...step, afterMs } : step
  })
  return { atOnce }
}

/** What an agent is to a scenario that was run with it; null of another id. */
type AgentOf = (id: string) => string | null

export function agentsOf(id: string, scenario: AnyScenario, target: Target): AgentOf {
  const settled = settle(scenario, target, '', choosingFor(id, target, {}))
  const cast: Setting['cast'] = settled instanceof ScenarioEnded ? {} : settled.cast
  const named = new Map<string, string>()
  for (const [role, principal] of Object.entries(cast))
    if (principal.agents !== '*' && principal.agents[0] !== undefined)
      named.set(principal.agents[0], `of ${role}`)
  if (target.agents.second) named.set(target.agents.second, 'second')
  const agents = named.set(target.agents.plain, 'plain')
  return (agent) => agents.get(agent) ?? null
}
