/** From a request to the replica that answers it. */
import type { ServerResponse } from 'node:http'
import { authorizationTokenOf, headerValues } from '../server/call.ts'
import { answer, shareOf, type Dispatch } from '../server/dispatch.ts'
import type { Incoming, RequestHead } from '../server/http-server.ts'
import { requestLine } from '../server/log.ts'
import { StoreAway, publicReasonOf } from '../store/store.ts'
import { cookieToken } from '../webhooks/management/sessions.ts'
import { afterRealTime, type MachineTime } from '../tenant/clock/machine-time.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { refuseFlat, unavailableReply } from './break-off.ts'
import { hopHeader, type RequestForwarder } from './forward.ts'
import type { Lease } from './lease.ts'
import type { ReplicaPlace, LocalTenant } from './place.ts'
import type { LocalTenants } from './local-tenants.ts'
import type { Silence } from './silence.ts'
import type { Tokens } from './tokens.ts'

export interface RequestRouterOptions {
  readonly localTenants: LocalTenants
  readonly tokens: Tokens
  readonly lease: Lease
  readonly forwarder: RequestForwarder
  readonly silence: Silence
  readonly machine: MachineTime
  /** A tenant that nobody runs: what belongs to no tenant is answered in it. */
  readonly hostState: TenantState
  /** Of requests that name no tenant. */
  readonly defaultPlace: () => Promise<ReplicaPlace>
  readonly notice: (line: string) => void
}

export type RequestRouter = (dispatch: Dispatch, call: Incoming, response: ServerResponse) => void

/** How often a request is sent to whoever runs its tenant, as far as this replica knows. */
const triesMost = 4
/** A tenant that is between two replicas is with one of them soon. */
const pauseMs = 50

const noWords = 'The replica that runs this tenant does not answer.'

/** One request on its way to its tenant. */
interface RoutedRequest {
  readonly dispatch: Dispatch
  readonly call: Incoming
  readonly response: ServerResponse
  /** Another replica sent it. */
  readonly hopped: boolean
  /** Whether it is for the tenant, or about it. */
  readonly kind: 'service' | 'control'
  /** Asked anew after each replica that turned out to be the wrong one. */
  readonly where: () => ReplicaPlace | Promise<ReplicaPlace>
}

/** Nothing can be answered now. `tenant`: whose errors it looks like. */
function refuse(
  { hostState }: RequestRouterOptions,
  { dispatch, call, response, kind }: RoutedRequest,
  reason: string,
  state = hostState,
): void {
  if (call.tooLarge) response.shouldKeepAlive = false
  dispatch.log?.(requestLine(call.method, call.path, response.headersSent ? 0 : 503))
  refuseFlat(response, 503, unavailableReply(state.rules, reason, kind))
}

function run(options: RequestRouterOptions, routed: RoutedRequest, localTenant: LocalTenant): void {
  const { localTenants, machine, hostState } = options
  const { dispatch, call, response, kind } = routed
  const { kept, open, tenant } = localTenant
  const { away } = localTenants.writeBehind
  // Reads too: state in memory must not be shown before it is stored.
  if (away) return refuse(options, routed, publicReasonOf(away), tenant.state)
  if (routed.hopped) response.writeProcessing()
  open.set(response, kind)
  response.once('close', () => {
    open.delete(response)
    localTenant.usedAt = machine.elapsed()
  })
  // A request that meets trouble uses it up, whether or not anything is answered.
  if (tenant.state.networkFaults.armed.length > 0) kept.look()
  answer(dispatch, kind === 'control' ? hostState : tenant.state, call, response, () => {
    if (localTenant.deleted) return undefined
    // Settings change without a mark, and whatever is no read may change them.
    if (call.method !== 'GET') kept.look()
    return tenant.state.changes.settled()
  })
}

async function pass(
  options: RequestRouterOptions,
  routed: RoutedRequest,
  place: ReplicaPlace & { is: 'there' },
  tries: number,
): Promise<void> {
  const { localTenants, forwarder, silence } = options
  const isThere = (found: ReplicaPlace): boolean => found.is === 'there' && found.address === place.address
  const isOwner = async (): Promise<boolean> => {
    localTenants.forgetOwner(place.tenant)
    return isThere(await routed.where())
  }
  const how = await forwarder.forward(place, routed.call, routed.response, isOwner)
  // A client that went away says nothing of the replica.
  if (how === 'misdirected' || routed.response.headersSent) silence.answered(place.address)
  if (how === 'answered') return
  localTenants.forgetOwner(place.tenant)
  if (tries === triesMost) return refuse(options, routed, noWords)
  if (how === 'misdirected') await new Promise<void>((on) => void afterRealTime(pauseMs * tries, on))
  const next = await routed.where()
  if (how === 'unreachable' && isThere(next)) {
    silence.silent(place.address)
    return refuse(options, routed, noWords)
  }
  await go(options, routed, next, tries + 1)
}

function go(
  options: RequestRouterOptions,
  routed: RoutedRequest,
  place: ReplicaPlace,
  tries = 1,
): void | Promise<void> {
  const { dispatch, call, response, hopped, kind } = routed
  if (response.destroyed) return
  if (place.is === 'nowhere')
    // The control plane says what is not there; the default tenant is always there, or will be.
    return kind === 'control'
      ? answer(dispatch, options.hostState, call, response)
      : refuse(options, routed, 'The tenant was deleted just now.')
  // Of what is here while the lease is over, others may have taken anything.
  if (hopped && (place.is !== 'here' || !options.lease.holds))
    return refuseFlat(response, 421, { error: 'This replica does not own the tenant.' })
  if (place.is === 'there') return pass(options, routed, place, tries)
  if (!options.lease.holds) return refuse(options, routed, 'The lease of this replica is over.')
  return place.is === 'away' ? refuse(options, routed, place.reason) : run(options, routed, place.localTenant)
}

function whyNot(error: unknown, notice: RequestRouterOptions['notice']): string {
  if (error instanceof StoreAway) return publicReasonOf(error)
  notice(`error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return 'The tenant could not be taken up; the log says why.'
}

/** Goes on when it is the turn of the tenant: many requests may have waited until it was known where it is. */
function goInTurn(options: RequestRouterOptions, routed: RoutedRequest, found: ReplicaPlace): Promise<void> {
  const { localTenants, hostState } = options
  const localTenant = found.is === 'here' ? found.localTenant : undefined
  // It may be given back, or taken away, until then.
  const isStill = (): boolean => !localTenant || localTenants.byId(localTenant.tenant.id) === localTenant
  const goOn = async (): Promise<void> => go(options, routed, isStill() ? found : await routed.where())
  const share = shareOf(routed.call, localTenant?.tenant.state ?? hostState)
  return new Promise((resolve) => routed.dispatch.turns.run(share, () => resolve(goOn())))
}

export function createRequestRouter(options: RequestRouterOptions): RequestRouter {
  const { localTenants, hostState, notice } = options
  const attend = (routed: RoutedRequest): void => {
    const place = routed.where()
    const failed = (error: unknown): void => refuse(options, routed, whyNot(error, notice))
    const gone =
      place instanceof Promise
        ? place.then((found) => goInTurn(options, routed, found))
        : go(options, routed, place)
    if (gone) gone.catch(failed)
  }
  return (dispatch, given, response) => {
    const hopped = headerValues(given, hopHeader).length > 0
    const call = hopped ? withoutHop(given) : given
    const found = dispatch.router.find(call.method, call.path, hostState)
    const way = { dispatch, call, response, hopped }
    if (found.is !== 'route')
      return attend({ ...way, kind: 'service', where: () => placeOf(options, call, hopped) })
    call.params = found.params
    const tenant = found.route.tenant?.(call) ?? null
    if (tenant === null) return answer(dispatch, hostState, call, response)
    attend({ ...way, kind: 'control', where: () => localTenants.placeOf(tenant) })
  }
}

const withoutHop = (call: Incoming): Incoming => ({
  ...call,
  headers: call.headers.filter(([name]) => name.toLowerCase() !== hopHeader),
})

/** Undefined where it is not known at once: a session counts where there is no API key. */
export function localTenantOf(localTenants: LocalTenants, head: RequestHead): LocalTenant | undefined {
  const token = authorizationTokenOf(head)
  return localTenants.byToken(token === '' ? (cookieToken(head) ?? '') : token)
}

/**
 * Whose API key or session a request carries; the default tenant's where nobody's. Whoever passed it on thinks that it is
 * for here: where that is not so, what is remembered here may be what is wrong.
 */
function placeOf(
  options: RequestRouterOptions,
  head: RequestHead,
  hopped: boolean,
): ReplicaPlace | Promise<ReplicaPlace> {
  const localTenant = localTenantOf(options.localTenants, head)
  if (localTenant) return { is: 'here', localTenant }
  return chosen(options, [authorizationTokenOf(head), cookieToken(head) ?? ''], hopped)
}

async function chosen(
  { localTenants, tokens, defaultPlace }: RequestRouterOptions,
  carried: readonly string[],
  hopped: boolean,
): Promise<ReplicaPlace> {
  for (const token of carried) {
    const localTenant = localTenants.byToken(token)
    if (localTenant) return { is: 'here', localTenant }
    const tenant = token === '' ? null : await tokens.tenantOf(token)
    if (tenant === null) continue
    if (hopped) localTenants.forgetOwner(tenant)
    const place = await localTenants.placeOf(tenant)
    if (place.is !== 'nowhere') return place
    tokens.forget(tenant)
  }
  return defaultPlace()
}
