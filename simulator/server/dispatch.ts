/** From a request to its answer: which tenant, which route, and what goes into the journal. */
import { newEntry, storeReceived, type RecordedRequest } from '../tenant/journal/entry.ts'
import type { ServerResponse } from 'node:http'
import { tooLargeWords } from '../chat/body.ts'
import { applyNetworkFaults } from './network-faults.ts'
import { bytesWithoutHeaderValues, redactedHeaders, withoutKeys } from '../tenant/redacted.ts'
import { Crashed } from '../clock/barriers.ts'
import { type TenantState, hookReply } from '../rules/tenant-state.ts'
import { headerValues, type Call, jsonReply, retryAfter, type Reply, safeHeaders } from '../edge/reply.ts'
import { type InFlightLimit, type Incoming, crowdedReply, nobody, ownCodes, plainRefusal } from './receive.ts'
import { requestLine, type Log } from './http-server.ts'
import type { RouteMatch, Router } from '../route.ts'
import { drop, sendReply, type ResponseLine } from './send.ts'

export interface Dispatch {
  readonly router: Router
  /** Null without a reader. */
  readonly log: Log | null
  readonly inFlight: InFlightLimit
  /** Path of a page that browsers at `/` are redirected to; null for none. */
  readonly home: string | null
}

/** The address of the simulator was typed into a browser. */
const asksForPage = (call: Incoming): boolean =>
  call.method === 'GET' &&
  call.path === '/' &&
  headerValues(call, 'sec-fetch-mode').includes('navigate') &&
  headerValues(call, 'accept').some((types) => types.includes('text/html'))

/** Of a page that the simulator serves. */
const isOfOwnPage = (call: Incoming): boolean => headerValues(call, 'sec-fetch-site').includes('same-origin')

/** The redirect is outside of every tenant, as the page is. */
function pageMatch(home: string): RouteMatch {
  const handle = (): Reply => ({
    kind: 'bytes',
    status: 302,
    headers: [...safeHeaders, ['Location', home], ['Content-Length', '0']],
    chunks: [],
    about: nobody,
  })
  return { is: 'route', route: { method: 'GET', path: '/', handle }, params: {} }
}

function handle({ state, found, call }: Exchange): Reply | Promise<Reply> {
  if (found.is === 'service') return found.route.handle(state, call)
  if (found.is === 'route' && call.tooLarge) return plainRefusal(state, 400, tooLargeWords(state.rules))
  if (found.is === 'route') return found.route.handle(call)
  if (found.is === 'nothing') return plainRefusal(state, 404, 'There is nothing at this path.')
  return plainRefusal(state, 405, `${call.method} is not possible here.`, [['Allow', found.allow.join(', ')]])
}

/** One request on its way to its answer. Routes outside of every tenant, such as the control plane, stay out of its journal. */
interface Exchange extends ResponseLine {
  readonly dispatch: Dispatch
  readonly found: RouteMatch
  readonly call: Call
  readonly settle: Settle
  /** Counts as in flight. */
  entered: boolean
}

function recorded({ clock, journal, apiKeys }: TenantState, found: RouteMatch, call: Call): RecordedRequest {
  const kept = journal.credentials === 'kept'
  const managed = found.is === 'service' && found.route.path.startsWith('/api/agents/')
  return {
    at: clock.now(),
    method: call.method,
    path: kept ? call.path : withoutKeys(call.path),
    headers: kept ? call.headers : redactedHeaders(call.headers, apiKeys),
    body: managed && !kept ? bytesWithoutHeaderValues(call.body) : call.body,
  }
}

function begin(
  dispatch: Dispatch,
  state: TenantState,
  call: Incoming,
  response: ServerResponse,
  settle: Settle,
): Exchange {
  const { home, router } = dispatch
  const found =
    home !== null && asksForPage(call) ? pageMatch(home) : router.find(call.method, call.path, state)
  if ('params' in found) call.params = found.params
  const request = recorded(state, found, call)
  const isOutside = found.is === 'route'
  const entry = isOutside ? newEntry(0, request) : state.journal.add(request)
  entry.faults = state.modifications.faults
  call.turn = entry.turn
  if (state.journal.isRead) storeReceived(entry, { ...request, path: call.path, headers: call.headers })
  // A browser repeats a POST by itself where a connection breaks that was used before: what it meets is no retry.
  if (home !== null && isOfOwnPage(call)) response.shouldKeepAlive = false
  const { inFlight } = dispatch
  const exchange = { dispatch, state, found, call, settle, response, entry, inFlight, entered: false }
  response.on('close', () => closed(exchange))
  return exchange
}

function closed({ dispatch, state, response, entry, inFlight, entered }: Exchange): void {
  // An error is only ever ours: the client took too long to read.
  const cut = response.errored ? 'drop' : 'client'
  state.journal.end(entry, response.writableFinished ? 'server' : cut, state.clock.now())
  if (entered) inFlight.leave()
  dispatch.log?.(requestLine(entry.method, entry.path, entry.status))
}

/** Our own defect: the client gets a plain 500, the log the reason. What dies on purpose only breaks the connection. */
function fail(exchange: Exchange, reason: unknown): void {
  if (reason instanceof Crashed) return drop(exchange)
  const { dispatch, response, state } = exchange
  dispatch.log?.(`error: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`)
  if (response.headersSent) drop(exchange)
  else void sendReply(exchange, plainRefusal(state, 500, 'The simulator has a defect; its log says more.'))
}

/** The reply is withheld, because its state could not be stored. */
function unsettled(state: TenantState, found: RouteMatch): Reply {
  const words = 'The state could not be stored. Send it again with the same key.'
  const headers = [...safeHeaders, retryAfter]
  if (found.is === 'route') return jsonReply(503, { error: words }, nobody, headers)
  const code = state.rules.showsOwnCodes ? ownCodes[503] : null
  return jsonReply(503, state.rules.errorLayout(code, words), nobody, headers)
}

/** What a reply has to wait for before it goes out; where that rejects, the client gets a 503 instead. */
export type Settle = () => Promise<void> | undefined

function finished({ state, found, call }: Exchange, made: Reply): Reply {
  const reply = call.tooLarge && made.kind === 'json' ? { ...made, close: true as const } : made
  return found.is === 'route' ? reply : hookReply(state, reply, call)
}

async function stored(exchange: Exchange, wait: Promise<void>, made: Reply): Promise<Reply> {
  try {
    await wait
    return finished(exchange, made)
  } catch {
    return unsettled(exchange.state, exchange.found)
  }
}

function put(exchange: Exchange, reply: Reply): void {
  const { response } = exchange
  // Its tenant is run here no longer, and the answer was ended with it.
  if (response.headersSent || response.destroyed) return
  sendReply(exchange, reply)?.catch((reason: unknown) => fail(exchange, reason))
}

/** The reply is there; nothing but its state has to be waited for. */
function deliver(exchange: Exchange, made: Reply): void {
  // The health check says that the store is away; what the control plane only reads waits for nothing either.
  const isRead = exchange.found.is === 'route' && exchange.call.method === 'GET'
  const wait = isRead ? undefined : exchange.settle()
  if (!wait) return put(exchange, finished(exchange, made))
  stored(exchange, wait, made)
    .then((reply) => put(exchange, reply))
    .catch((reason: unknown) => fail(exchange, reason))
}

/** Answers a whole request. `settle`: asked once the reply is there. */
export function answer(
  dispatch: Dispatch,
  state: TenantState,
  call: Incoming,
  response: ServerResponse,
  settle: Settle,
): void {
  const exchange = begin(dispatch, state, call, response, settle)
  const { found, inFlight } = exchange
  // Routes outside of every tenant, such as the control plane, stay: they end what is in flight.
  const isOutside = found.is === 'route'
  exchange.entered = !isOutside && !call.noRoom && inFlight.enter()
  if (call.noRoom || !(isOutside || exchange.entered))
    return put(exchange, finished(exchange, crowdedReply(state)))
  const met = isOutside ? [] : state.networkFaults.meet(call)
  exchange.entry.networkFaults = met
  if (met.length > 0) return meetFaults(exchange, met)
  try {
    const reply = handle(exchange)
    if (!(reply instanceof Promise)) return deliver(exchange, reply)
    reply.then((made) => deliver(exchange, made)).catch((reason: unknown) => fail(exchange, reason))
  } catch (reason) {
    fail(exchange, reason)
  }
}

function meetFaults(exchange: Exchange, met: Parameters<typeof applyNetworkFaults>[1]): void {
  const { settle } = exchange
  const ask = async (): Promise<Reply> => {
    const made = await handle(exchange)
    const wait = settle()
    return wait ? stored(exchange, wait, made) : finished(exchange, made)
  }
  applyNetworkFaults(exchange, met, ask).catch((reason: unknown) => fail(exchange, reason))
}
