/** From what a scenario says to the bytes that are sent: every chat request of the suite is built here. */
import type { Exchange, Header, Json } from '../../wire/exchange.ts'
import type { Outgoing, Wire } from '../../wire/recorder.ts'
import { laneOf } from './key-ring.ts'
import type { ChatRequest, Recalling, Setting } from '../../scenario/scenario.ts'
import { plainEcho } from '../../config/sections/service.ts'
import type { Principal } from '../../config/target.ts'
import type { ValueSource } from '../../scenario/source.ts'
import { limits } from '../../../spec/index.ts'
import { notExercised } from '../../scenario/ending.ts'
import type { ReadRequest } from '../../scenario/operations-driver.ts'

export interface RequestDefaults {
  scenario: string
  userAgent: string
  source: ValueSource
  /** From 1, over all attempts at the scenario. */
  count: () => number
}

export function chatRequest(
  name: string,
  asked: ChatRequest,
  setting: Setting,
  requestDefaults: RequestDefaults,
): Outgoing {
  const path = `/api/v1/chat/${encodeURIComponent(asked.agent ?? setting.agent)}`
  const body = asked.raw ?? JSON.stringify(bodyOf(asked, requestDefaults.source))
  return outgoing(name, { method: 'POST', path, body, headers: [jsonType] }, asked, setting, requestDefaults)
}

export const jsonType: Header = ['Content-Type', 'application/json']

interface Sent {
  method: string
  path: string
  body: string | Uint8Array
  headers: readonly Header[]
}

/** Every request of a scenario: what is sent, with the ordinary headers, laid over by those that were asked for. */
export function outgoing(
  name: string,
  { method, path, body, headers: own }: Sent,
  asked: Omit<ReadRequest, 'as'> & { as?: string | null },
  setting: Setting,
  { scenario, userAgent }: RequestDefaults,
  credentials: readonly Header[] = bearerOf(senderOf(asked, setting)),
): Outgoing {
  const headers = overlaid([...credentials, ...own, ['User-Agent', userAgent]], asked)
  return {
    scenario,
    name,
    method,
    path,
    headers,
    body: jsonBytes(body),
    principal: principalOf(headers, setting),
    ...placeOf(asked.replica ?? 0, setting),
    timeouts: asked.timeouts,
  }
}

export function bearerOf(sender: Principal | null): readonly Header[] {
  return sender ? [['Authorization', `Bearer ${sender.bearer}`]] : []
}

/** Where it goes to, where that is not the first base address. */
function placeOf(replica: number, { replicas = [] }: Setting): Pick<Outgoing, 'replica'> {
  if (replica === 0) return {}
  const address = replicas[replica - 1]
  if (address !== undefined) return { replica: address }
  throw new Error(`the scenario speaks of replica ${replica} of ${replicas.length}; declare needs.replicas`)
}

export function echoing(text: string, { echo }: Setting): ChatRequest {
  const message = (echo?.message ?? plainEcho).replaceAll('{text}', () => text)
  return echo ? { agent: echo.agent, message } : { message }
}

/** Throws where the scenario does not declare that it needs it. */
export function recalling(text: string, { recall }: Setting): Recalling {
  if (!recall) throw new Error('the scenario uses recall without declaring needs.recall')
  const { agent, ask } = recall
  const remember = recall.tell.replaceAll('{text}', () => text)
  const both = `${remember}\n${ask}`
  return { tell: { agent, message: remember }, ask: { agent, message: ask }, both: { agent, message: both } }
}

/** The same bytes again, but for what `change` names. */
export function sameAgain(
  name: string,
  { request }: Exchange,
  change: Omit<ChatRequest, 'message'>,
  setting: Setting,
  requestDefaults: RequestDefaults,
): Outgoing {
  const others = request.headers.filter(([header]) => !same(header, 'authorization'))
  const before =
    change.as === undefined ? request.headers : [...bearerOf(senderOf(change, setting)), ...others]
  const headers = overlaid(before, change)
  const { replica: known, ...sent } = request
  const there = known === undefined ? {} : { replica: known }
  return {
    ...sent,
    scenario: requestDefaults.scenario,
    name,
    path: change.agent === undefined ? request.path : `/api/v1/chat/${encodeURIComponent(change.agent)}`,
    headers,
    body: change.raw === undefined ? request.body : jsonBytes(change.raw),
    principal: principalOf(headers, setting) ?? (change.as === undefined ? request.principal : null),
    ...(change.replica === undefined ? there : placeOf(change.replica, setting)),
    timeouts: change.timeouts,
  }
}

/** Whose key is sent; throws for a role that the scenario does not declare. */
export function senderOf({ as }: { as?: string | null }, { cast, absent }: Setting): Principal | null {
  if (as === null) return null
  const principal = cast[as ?? 'self']
  const why = absent?.[as ?? 'self']
  if (why !== undefined) throw notExercised('principal-missing', why)
  if (!principal) throw new Error(`the scenario has no role "${as}"; declare it in needs.others`)
  return principal
}

/** Members in the order of the contract's table; a member not given is left out, but for the message and the key. */
function bodyOf(asked: ChatRequest, source: ValueSource): Readonly<Record<string, Json>> {
  const { message = source.text(), conversation_id, stream, interaction, extra } = asked
  const key = asked.idempotency_key === undefined ? source.key() : asked.idempotency_key
  return {
    message,
    ...(conversation_id === undefined ? {} : { conversation_id }),
    ...(stream === undefined ? {} : { stream }),
    ...(key === null ? {} : { idempotency_key: key }),
    ...(interaction === undefined ? {} : { interaction }),
    ...extra,
  }
}

/** A header given by the scenario takes the place of the ordinary one, in any casing; the others follow. */
function overlaid(
  ordinary: readonly Header[],
  { headers = [], withoutHeaders = [] }: Pick<ChatRequest, 'headers' | 'withoutHeaders'>,
): readonly Header[] {
  const gone = [...withoutHeaders, ...headers.map(([name]) => name)]
  return [...ordinary.filter(([name]) => !gone.some((other) => same(name, other))), ...headers]
}

/** Whose credentials the headers carry, whichever way they were put there. */
function principalOf(headers: readonly Header[], { cast }: Setting): string | null {
  const credentials = headers.filter(([name]) => same(name, 'authorization')).map(([, value]) => value)
  const owner = Object.values(cast).find(({ bearer }) => credentials.some((value) => value.includes(bearer)))
  return owner ? laneOf(owner) : null
}

function same(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase()
}

function jsonBytes(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body
}

/** A window that slides and one that is fixed both end within twice the rate. */
export const floodMost = 2 * limits.chatRequestsPerMinute + 5

export async function flood(
  setting: Setting,
  { wire, requestDefaults }: { wire: Wire; requestDefaults: RequestDefaults },
): Promise<void> {
  const key = requestDefaults.source.key()
  const message = requestDefaults.source.text()
  const unmet = (because: string) => notExercised('state-not-established', because)
  for (let sent = 0; sent < floodMost; sent++) {
    const asked = { message, idempotency_key: key }
    const exchange = await wire.send(chatRequest('flood', asked, setting, requestDefaults), {
      turns: sent === 0 ? 1 : 0,
      unpaced: true,
    })
    if (exchange.response?.status === 429) return
    if (exchange.failure?.kind === 'budget') throw notExercised('budget-exhausted', exchange.failure.message)
    if (exchange.failure)
      throw unmet(`request ${sent + 1} of one key got no whole answer: ${exchange.failure.message}`)
  }
  throw unmet(`${floodMost} requests of one key within a minute met no 429`)
}
