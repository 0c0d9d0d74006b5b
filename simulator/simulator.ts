/** Opens a simulator: a door, and behind it as many worlds as are asked for. */
import type { ControlHost } from './control/answer.ts'
import { isLoopback } from './control/loopback.ts'
import { controlRoutes } from './control/routes.ts'
import { createTenant } from './create-tenant.ts'
import type { Fault } from './deviations/deviation.ts'
import { faults } from './deviations/faults.ts'
import { headerValues } from './http/call.ts'
import { createCrowd } from './http/crowd.ts'
import { answer, type Dispatch } from './http/dispatch.ts'
import { openDoor, type Counts, type Door, type DoorOptions, type Knock } from './http/door.ts'
import { discreet } from './http/log.ts'
import { json } from './http/reply.ts'
import { createRouter, type Route } from './http/route.ts'
import { safeHeaders } from './http/safe-headers.ts'
import { limitsWith, type Limits } from './limits.ts'
import { services } from './services.ts'
import type { Tenant, TenantOptions } from './tenant.ts'
import { cookieToken } from './webhooks/sessions.ts'
import type { World } from './world/world.ts'

export interface SimulatorOptions extends TenantOptions {
  /** Default 0: any free port. */
  port?: number
  /** Doors to the same worlds, each on a port of its own: any free one for the further ones. Default 1. */
  replicas?: number
  /** Default 127.0.0.1. */
  host?: string
  /** Mount the control plane under `/_sim/v1`. Default: where only this machine can reach it, or there is a token. */
  control?: boolean
  /** What has to be sent to the control plane as a bearer token. Default: nothing has to be. */
  controlToken?: string
  /** Further routes, outside of every world. */
  routes?: readonly Route[]
  /** Gets one line per request, without secrets. */
  log?: (line: string) => void
  /** Gets a line about what whoever runs it has to know, such as clients for whom there is no room. Default: `log`. */
  notice?: (line: string) => void
  /**
   * How long a client may take, in ms, for its headers (default 10,000), for its whole request (30,000), and to read on
   * in an answer that waits for it (60,000).
   */
  patience?: { headersMs?: number; requestMs?: number; stalledMs?: number }
  /** How much those may take who ask over HTTP; what is not given is as simulator/limits.ts has it. */
  limits?: Partial<Limits>
}

export interface Simulator {
  /** Base address, without a trailing slash. */
  readonly url: string
  readonly port: number
  readonly host: string
  /** Base addresses of the further doors. */
  readonly replicas: readonly string[]
  /** The world that answers while no other is named by an API key or a session. */
  readonly tenant: Tenant
  /** Every world, the default one first. */
  readonly tenants: readonly Tenant[]
  createTenant(options?: TenantOptions): Tenant
  /** Stops listening and drops every connection, open streams too. */
  close(): Promise<void>
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

const health: Route = {
  method: 'GET',
  path: '/healthz',
  handle: () => json(200, { status: 'ok' }, { operation: 'health' }, safeHeaders),
}

const tokensOf = ({ world }: Tenant): string[] => [
  ...world.apiKeys.keys(),
  ...world.older.apiKeys.keys(),
  ...world.sessions.keys(),
]

/** Worlds by the API keys and session tokens that choose them. */
function createTenants(seed: string, url: () => string) {
  const tenants: Tenant[] = []
  const byToken = new Map<string, World>()
  const shared = new Map<string, unknown>()
  let made = 0

  const create = (options: TenantOptions = {}): Tenant => {
    // The first one has the seed itself, the others one that follows from it.
    const own = made++ === 0 ? seed : `${seed}/${made}`
    const tenant = createTenant({ seed: options.seed ?? own, url, shared, onClose: remove }, options)
    const tokens = tokensOf(tenant)
    if (tokens.some((token) => byToken.has(token)))
      throw new RangeError(
        `A tenant with the seed ${JSON.stringify(tenant.seed)} is there already; choose another.`,
      )
    for (const token of tokens) byToken.set(token, tenant.world)
    tenants.push(tenant)
    return tenant
  }
  const remove = (tenant: Tenant): void => {
    for (const token of tokensOf(tenant)) byToken.delete(token)
    const index = tenants.indexOf(tenant)
    if (index !== -1) tenants.splice(index, 1)
  }
  return { tenants, byToken, create }
}

/** The API key or session token of a request, whatever stands before it. */
function tokenOf(knock: Knock): string {
  const [authorization = ''] = headerValues(knock, 'authorization')
  return authorization.slice(authorization.lastIndexOf(' ') + 1)
}

function mounted(options: SimulatorOptions, host: ControlHost, limits: Limits): readonly Route[] {
  const { host: address = '127.0.0.1', controlToken } = options
  const reachable = !isLoopback(address)
  const { control = !reachable || controlToken !== undefined } = options
  if (control && reachable && controlToken === undefined)
    throw new RangeError(`Others can reach ${address}: give a controlToken, or leave the control plane out.`)
  const controls = control ? controlRoutes(host, controlToken ?? null, limits) : []
  return [health, ...controls, ...(options.routes ?? [])]
}

/** As many as are asked for, and as many as a fault needs to show. */
function doorsOf({ replicas = 1, faults: names = [] }: SimulatorOptions): number {
  const rows: readonly (Fault | undefined)[] = names.map((name) => faults[name])
  return Math.max(1, replicas, ...rows.map((fault) => fault?.replicas ?? 1))
}

export async function createSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { seed = 'touchstone', host = '127.0.0.1', port = 0, log, controlToken } = options
  const limits = limitsWith(options.limits)
  const doors: Door[] = []
  const address = (door?: Door): string =>
    `http://${host.includes(':') ? `[${host}]` : host}:${door?.port ?? port}`
  const worlds = createTenants(seed, () => address(doors[0]))
  const tenant = worlds.create(options)
  const simulator: Simulator = {
    host,
    tenant,
    tenants: worlds.tenants,
    createTenant: worlds.create,
    get url() {
      return address(doors[0])
    },
    get port() {
      return doors[0]?.port ?? port
    },
    get replicas() {
      return doors.slice(1).map(address)
    },
    close: async () => {
      for (const each of worlds.tenants.slice()) each.close()
      await Promise.all(doors.map((door) => door.close()))
    },
    [Symbol.asyncDispose]: () => simulator.close(),
  }
  const dispatch: Dispatch = {
    router: createRouter(mounted(options, simulator, limits), services),
    worldOf: (knock) =>
      worlds.byToken.get(tokenOf(knock)) ?? worlds.byToken.get(cookieToken(knock) ?? '') ?? tenant.world,
    log: log ? discreet(log, controlToken) : () => undefined,
    crowd: createCrowd(limits.openAnswers),
  }
  const counts: Counts = { calls: 0, sockets: 0 }
  for (let number = 1; number <= doorsOf(options); number++)
    doors.push(await openDoor(doorOptions(number, counts, dispatch, tenant, options)))
  return simulator
}

function doorOptions(
  number: number,
  counts: Counts,
  dispatch: Dispatch,
  tenant: Tenant,
  { host = '127.0.0.1', port = 0, patience = {}, notice }: SimulatorOptions,
): DoorOptions {
  return {
    number,
    counts,
    host,
    port: number === 1 ? port : 0,
    headersMs: patience.headersMs ?? 10_000,
    requestMs: patience.requestMs ?? 30_000,
    stalledMs: patience.stalledMs ?? 60_000,
    bodyLimit: (knock) => dispatch.worldOf(knock).rules.bodyLimitBytes,
    answer: (call, response) => answer(dispatch, call, response),
    notice: notice ?? ((line) => dispatch.log(line)),
    unreadable: (words) => JSON.stringify(tenant.world.rules.errorLayout(null, words)),
  }
}
