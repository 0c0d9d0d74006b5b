/** From a request to its answer: which tenant, which route, and what goes into the journal. */
import { unkept } from '../tenant/journal/entry.ts'
import type { ServerResponse } from 'node:http'
import { tooLargeWords } from '../chat/body.ts'
import { hookReply } from '../modification/apply.ts'
import { applyNetworkFaults } from '../network-faults/meet.ts'
import { publicReasonOf } from '../store/store.ts'
import { bytesWithoutHeaderValues, redactedHeaders, withoutKeys } from '../tenant/redacted.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import type { Call } from './call.ts'
import type { Incoming } from './http-server.ts'
import type { InFlightLimit } from './in-flight-limit.ts'
import { requestLine, type Log } from './log.ts'
import { crowdedReply, nobody, ownCodes, plainRefusal } from './plain-refusal.ts'
import { jsonReply, retryAfter, type Reply } from './reply.ts'
import type { RouteMatch, Router } from './route.ts'
import { safeHeaders } from './safe-headers.ts'
import { drop, sendReply, type ResponseLine } from './send.ts'

export interface Dispatch {
  readonly router: Router
  readonly log: Log
  /** What a tenant, or what is outside of every tenant, may have in flight. */
  readonly inFlight: InFlightLimit
}

const nothing = (): undefined => undefined

function handle(state: TenantState, found: RouteMatch, call: Call): Reply | Promise<Reply> {
  if (found.is === 'service') return found.route.handle(state, call)
  if (found.is === 'route' && call.tooLarge) return plainRefusal(state, 400, tooLargeWords(state.rules))
  if (found.is === 'route') return found.route.handle(call)
  if (found.is === 'nothing') return plainRefusal(state, 404, 'There is nothing at this path.')
  return plainRefusal(state, 405, `${call.method} is not possible here.`, [['Allow', found.allow.join(', ')]])
}

/** Where the answer goes. Routes outside of every tenant, such as the control plane, stay out of its journal. */
function openLine(
  dispatch: Dispatch,
  state: TenantState,
  found: RouteMatch,
  call: Omit<Call, 'params'>,
  response: ServerResponse,
): ResponseLine {
  const { method } = call
  const kept = state.journal.credentials === 'kept'
  const path = kept ? call.path : withoutKeys(call.path)
  const headers = kept ? call.headers : redactedHeaders(call.headers)
  const managed = found.is === 'service' && found.route.path.startsWith('/api/agents/')
  const body = managed && !kept ? bytesWithoutHeaderValues(call.body) : call.body
  const request = { at: state.clock.now(), method, path, headers, body }
  const entry = found.is === 'route' ? unkept(request) : state.journal.add(request)
  response.on('close', () => {
    // An error is only ever ours: the client took too long to read.
    const cut = response.errored ? 'drop' : 'client'
    state.journal.end(entry, response.writableFinished ? 'server' : cut, state.clock.now())
    dispatch.log(requestLine(method, path, entry.status))
  })
  const place = found.is === 'route' ? dispatch : state
  return { state, response, entry, place, inFlight: dispatch.inFlight }
}

/** Our own defect: the client gets a plain 500, the log the reason. */
function failed(dispatch: Dispatch, line: ResponseLine, reason: unknown): void {
  dispatch.log(`error: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`)
  if (line.response.headersSent) drop(line)
  else void sendReply(line, plainRefusal(line.state, 500, 'The simulator has a defect; its log says more.'))
}

/** The reply is withheld, because its state could not be stored. */
function unsettled(state: TenantState, found: RouteMatch, reason: unknown): Reply {
  const words = `The state could not be stored: ${publicReasonOf(reason)} Send it again with the same key.`
  const headers = [...safeHeaders, retryAfter]
  if (found.is === 'route') return jsonReply(503, { error: words }, nobody, headers)
  const code = state.rules.showsOwnCodes ? ownCodes[503] : null
  return jsonReply(503, state.rules.errorLayout(code, words), nobody, headers)
}

/** What a reply has to wait for before it goes out; where that rejects, the client gets a 503 instead. */
export type Settle = () => Promise<void> | undefined

/** Answers a whole request. `settle`: asked once the reply is there. Default: there is nothing to wait for. */
export function answer(
  dispatch: Dispatch,
  state: TenantState,
  call: Incoming,
  response: ServerResponse,
  settle: Settle = nothing,
): void {
  const found = dispatch.router.find(call.method, call.path, state)
  if ('params' in found) call.params = found.params
  const line = openLine(dispatch, state, found, call, response)
  const fail = (reason: unknown): void => failed(dispatch, line, reason)
  const finished = (made: Reply): Reply => {
    const reply = call.tooLarge && made.kind === 'json' ? { ...made, close: true as const } : made
    return found.is === 'route' ? reply : hookReply(state, reply, call)
  }
  const stored = async (wait: Promise<void>, made: Reply): Promise<Reply> => {
    try {
      await wait
      return finished(made)
    } catch (reason) {
      return unsettled(state, found, reason)
    }
  }
  const put = (reply: Reply): void => {
    // Its tenant is run here no longer, and the answer was ended with it.
    if (response.headersSent || response.destroyed) return
    const sent = sendReply(line, reply)
    if (sent) sent.catch(fail)
  }
  const deliver = (made: Reply): void => {
    const wait = settle()
    if (wait) stored(wait, made).then(put).catch(fail)
    else put(finished(made))
  }
  if (call.noRoom || !dispatch.inFlight.enter(line.place, response)) return put(finished(crowdedReply(state)))
  const met = found.is === 'route' ? [] : state.networkFaults.meet(call)
  if (met.length > 0) {
    const ask = async (): Promise<Reply> => {
      const made = await handle(state, found, call)
      const wait = settle()
      return wait ? stored(wait, made) : finished(made)
    }
    applyNetworkFaults(line, met, ask).catch(fail)
    return
  }
  try {
    const reply = handle(state, found, call)
    if (reply instanceof Promise) reply.then(deliver).catch(fail)
    else deliver(reply)
  } catch (reason) {
    fail(reason)
  }
}
