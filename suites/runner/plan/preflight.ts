/** One request before the run: whether anything answers, and whether key, agent and address seem to be right. */
import { certificateProblem, isUnreadableHeader } from '../../wire/failure.ts'
import { plainSetting } from '../../scenario/scenario.ts'
import type { Executed } from '../target-watch.ts'
import { isPausedReply } from '../../assertions/paused.ts'
import { fieldOf } from '../../assertions/reply.ts'
import { isObject } from '../../../spec/json.ts'
import { ConfigurationError, type Target } from '../../config/target.ts'
import { type Exchange, type FailureKind, contentType, header, json } from '../../wire/exchange.ts'
import type { Wire } from '../../wire/recorder.ts'
import { chatRequest, type RequestDefaults } from '../requests/request.ts'
import { ordinary } from '../states/settings.ts'
import { givenAs } from './operation-choice.ts'
import { connect } from 'node:tls'

export class TargetUnreachable extends Error {
  override name = 'TargetUnreachable'
}

type Failure = NonNullable<Exchange['failure']>

/** A ConfigurationError where the port speaks something else, else TargetUnreachable. */
export async function unreachable(target: Target, failure: Failure): Promise<Error> {
  const { baseUrl, proxy } = target
  const words = `${failure.kind}: ${failure.message}`
  const given = givenAs(target).baseUrl
  // The target was never seen if the proxy does not respond.
  if (proxy !== null)
    return new TargetUnreachable(
      `${baseUrl} cannot be reached through target.proxy (${words}); check target.proxy and that the proxy is up, then target.baseUrl`,
    )
  const secure = baseUrl.startsWith('https:')
  if (secure && /wrong version number|packet length too long/i.test(failure.message))
    return new ConfigurationError(`${given} ${baseUrl}: the port does not speak TLS; use http://`)
  const certificate = certificateProblem(failure)
  if (certificate !== null) return new ConfigurationError(`${given} ${baseUrl}: ${certificate}`)
  const mayBeTls = !secure && ['reset', 'protocol'].includes(failure.kind)
  if (mayBeTls && (await speaksTls(new URL(baseUrl))))
    return new ConfigurationError(`${given} ${baseUrl}: the port speaks TLS; use https://`)
  if (failure.kind === 'protocol')
    return new ConfigurationError(
      `${given} ${baseUrl}: what listens there does not speak HTTP (${failure.message}); check the host and the port`,
    )
  if (/ENOTFOUND|EAI_AGAIN/.test(failure.message))
    return new TargetUnreachable(
      `${new URL(baseUrl).hostname} cannot be resolved (${failure.message}); check ${given}`,
    )
  return new TargetUnreachable(
    `nothing answers at ${baseUrl} (${words}); check ${given} and that the service is up`,
  )
}

const handshakeMs = 2_000

function speaksTls({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    const socket = connect({ host, port: Number(port || 80), rejectUnauthorized: false })
    const end = (speaks: boolean): void => {
      socket.destroy()
      resolve(speaks)
    }
    socket.setTimeout(handshakeMs, () => end(false))
    socket.once('secureConnect', () => end(true)).once('error', () => end(false))
  })
}

export interface Doubt {
  status: number
  words: string
  /** The response is not one of the service: HTML, or 2xx without any member of a reply. */
  foreign?: true
}

/** Of each attempt: who waits for nothing should not wait long, and what starts on demand is up for the second. */
const timeoutMs = 4_000
const worthAnother: readonly (FailureKind | undefined)[] = ['reset', 'timeout']

/**
 * Any HTTP response will do but a redirect, which is not followed. Returns a doubt where the response speaks of a wrong
 * key, agent or address: that is no verdict. Throws TargetUnreachable, and a ConfigurationError for a redirect or where
 * no HTTP is spoken.
 */
export async function preflight(
  target: Target,
  wire: Wire,
  requestDefaults: RequestDefaults,
): Promise<Doubt | null> {
  const send = () => sendProbe('preflight', target, wire, requestDefaults)
  const first = await send()
  // A restart, a cold start or a proxy may cost one connection; where nobody listens, nobody waits for a second.
  const exchange = worthAnother.includes(first.failure?.kind) && !first.response ? await send() : first
  const { response, failure } = exchange
  // Ended early, or out of budget, before it was asked: that is for the record to say, and not about the target.
  if (failure?.kind === 'budget' || failure?.kind === 'aborted') return null
  if (failure?.kind === 'cut' && !response) return null
  if (failure && isUnreadableHeader(failure))
    return {
      status: 0,
      words: `before the run, a request was answered with what is no HTTP/1.1: ${failure.message}`,
    }
  if (!response) throw await unreachable(target, failure ?? { kind: 'refused', message: 'no response' })
  const { status } = response
  const [location] = header(exchange, 'location')
  const { baseUrl: given } = givenAs(target)
  if (status >= 300 && status < 400)
    throw new ConfigurationError(
      `${target.baseUrl} redirects (${status}) to ${location ?? 'nowhere'}; give the address of the service itself as ${given}`,
    )
  return doubtOf(exchange, target)
}

/** Sends a body without message and key, which no conforming server bills. `as: null`: without an API key. */
export function sendProbe(
  name: string,
  target: Target,
  wire: Wire,
  requestDefaults: RequestDefaults,
  as?: null,
): Promise<Exchange> {
  const principal = as === null ? null : ordinary(target)
  const { plain: agent } = target.agents
  const setting = plainSetting(agent, principal)
  const asked = { raw: '{}', timeouts: { timeoutMs }, ...(principal ? {} : { as: null }) }
  return wire.send(chatRequest(name, asked, setting, requestDefaults), { turns: 0 })
}

/** What the response to a request with an ordinary key says against the target, or null. */
export function doubtOf(exchange: Exchange, target: Target): Doubt | null {
  const principal = ordinary(target)
  const { response } = exchange
  if (!principal || !response) return null
  const { status } = response
  const foreign = isForeign(exchange)
  const remedy = remedies[status] ?? (foreign ? elsewhere : undefined)
  if (remedy === undefined) return null
  const words = inBaseUrl(target) ?? remedy(exchange, target)
  return { status, words, ...(foreign ? { foreign } : {}) }
}

type Remedy = (exchange: Exchange, target: Target) => string

const remedies: Readonly<Record<number, Remedy>> = {
  401: (_, target) =>
    `the API key was refused (401) before the first check: check ${givenAs(target, ordinary(target)).key}`,
  403: (_, target) => {
    const { key, agent } = givenAs(target, ordinary(target))
    return `the API key may not send messages to the agent (403): check that ${key} has the scope \`chat\`, and ${agent}`
  },
  404: (exchange, target) => {
    const { baseUrl, agent } = givenAs(target)
    return isForeign(exchange)
      ? elsewhere(exchange, target)
      : `${addressOf(exchange, target)} was answered 404: check ${agent}, and that ${baseUrl} is the address before /api/v1`
  },
  405: elsewhere,
  501: elsewhere,
}

/** Why no turn shows anything: what the response to one says of the account or of `agents.plain`, or null. */
export function whyNoTurns(turn: Exchange, target: Target): string | null {
  const { key, agent } = givenAs(target, ordinary(target))
  if (turn.response?.status === 402) return `the account has no credits (402): add some, or check ${key}`
  return isPausedReply(turn) ? `${agent} is paused (its turns get no AI reply): resume it` : null
}

/**
 * Looks for that in scenarios that ended without having entered a state, until there is a reply. One such turn, or
 * two with a 402, may be a fault of the target.
 */
export function createTurnWatch(target: Target, journal: readonly Exchange[]) {
  const plain = new Set<string>()
  const isOwn = ({ scenario, request: { principal, path } }: Exchange): boolean =>
    plain.has(scenario) && principal === ordinary(target)?.name && path.endsWith(`/${target.agents.plain}`)
  let isOver = false
  /** Throws a ConfigurationError, before anything is said of the scenario. */
  return (made: Executed): Executed => {
    if ('states' in made && made.states.length === 0) plain.add(made.scenario)
    const turns = isOver ? [] : journal.filter(isOwn)
    isOver ||= turns.some((turn) => turn.response?.status === 200 && !isPausedReply(turn))
    const reasons = isOver ? [] : turns.flatMap((turn) => whyNoTurns(turn, target) ?? [])
    const because = reasons[turns.some(isPausedReply) ? 1 : 2]
    if (because !== undefined) throw new ConfigurationError(because)
    return made
  }
}

/** For a 404 to a key, where the route is there: without a key it is refused with 401. */
export function noSuchAgent(target: Target): string {
  return `the service has no such agent for this API key (404): check ${givenAs(target).agent}`
}

function elsewhere(exchange: Exchange, target: Target): string {
  const { status } = exchange.response ?? {}
  const type = contentType(exchange)?.essence ?? 'no content type'
  return `${addressOf(exchange, target)} was not answered by the service (${status}, ${type}): check ${givenAs(target).baseUrl}`
}

function addressOf({ request: { method, path } }: Exchange, { baseUrl }: Pick<Target, 'baseUrl'>): string {
  return `${method} ${baseUrl}${path}`
}

export function inBaseUrl(target: Target): string | null {
  const url = new URL(target.baseUrl)
  const at = url.pathname.search(/\/api\/v1(\/|$)/)
  if (at < 0) return null
  const { baseUrl } = givenAs(target)
  return `${baseUrl} must not include /api/v1; use ${url.origin}${url.pathname.slice(0, at)}`
}

/** Final fields of a reply, and the member of an error. */
const members = 'response conversation_id credits_used credits_remaining customer_message error'.split(' ')

/** A page, or a success with nothing in it that a reply has. A gateway sends pages, too, when there is too much to do. */
function isForeign(exchange: Exchange): boolean {
  const { status = 0 } = exchange.response ?? {}
  if (status === 429 || status >= 500) return status === 501
  if (contentType(exchange)?.essence === 'text/html') return true
  const body = json(exchange)
  const own = body.ok && isObject(body.value) ? body.value : {}
  return status < 300 && !members.some((name) => isOfReply(fieldOf(exchange, name)) || isOfReply(own[name]))
}

/** None of the members is an object, as the error of a receipt is. */
function isOfReply(value: unknown): boolean {
  return value !== undefined && !isObject(value)
}
