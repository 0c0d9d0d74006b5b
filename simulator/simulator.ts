/** Starts a simulator: one or more HTTP servers with any number of tenants. */
import { isLoopbackHost } from './control/guard.ts'
import { controlRoutes } from './control/routes.ts'
import type { Fault } from './modification/modification.ts'
import { faults } from './faults/index.ts'
import type { Dispatch } from './server/dispatch.ts'
import {
  startHttpServer,
  type HttpServer,
  type HttpServerOptions,
  redactedLine,
} from './server/http-server.ts'
import { InFlightLimit } from './server/receive.ts'
import { jsonReply, safeHeaders } from './edge/reply.ts'
import { createRouter, type ServerRoute } from './route.ts'
import { limitsWith, type SimulatorLimits } from './limits.ts'
import { createTenantHost, type TenantHost } from './tenant-host.ts'
import type { Persistence } from './store/persistence.ts'
import { services } from './services.ts'
import type { Tenant, TenantOptions } from './tenant-handle.ts'
import { turnsOf } from './chat/run.ts'
import { afterRealTime, machineElapsed } from './clock/machine-time.ts'
import type { TenantState } from './rules/tenant-state.ts'

interface InFlight {
  /** Answers, open streams among them; until the last byte of each is on its way. */
  readonly answers: number
  /** Turns, those among them whose client went away. */
  readonly turns: number
  /** Attempts of deliveries. */
  readonly deliveries: number
}

/** How often it is asked whether everything has ended. */
const lookEveryMs = 20

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0)

function inFlight(servers: readonly HttpServer[], states: readonly TenantState[]): InFlight {
  return {
    answers: sum(servers.map(({ open }) => open)),
    turns: sum(states.map(turnsOf)),
    deliveries: sum(states.map(({ outbox }) => outbox.counts.inFlight)),
  }
}

/** Attempts under way go on; no further one begins, and what waits stays what it is. Nobody follows the journal. */
function windDown({ rules, journal }: TenantState): void {
  rules.concurrency = { state: 0, webhook: 0 }
  journal.endWatches()
}

/**
 * Closes the servers to new connections, and resolves once nothing is under way, or after `withinMs` of real time: with
 * what has not ended then. Connections that are there are answered, and each ends with its answer.
 */
async function drain(
  servers: readonly HttpServer[],
  states: () => readonly TenantState[],
  withinMs: number,
): Promise<InFlight> {
  const began = machineElapsed()
  for (const server of servers) server.drain()
  for (;;) {
    states().forEach(windDown)
    const left = inFlight(servers, states())
    if (left.answers + left.turns + left.deliveries === 0 || machineElapsed() - began >= withinMs) return left
    await new Promise<void>((resolve) => void afterRealTime(lookEveryMs, resolve))
  }
}

export interface SimulatorOptions extends TenantOptions {
  /** Default 0: any free port. */
  port?: number
  /** Servers for the same tenants; each after the first listens on a free port. Default 1. */
  replicas?: number
  /** Default 127.0.0.1. */
  host?: string
  /** `file:PATH`, where tenants outlive this process; no other process may use it. Default: nowhere. */
  store?: string
  /** Mount the control plane under `/_sim/v1`. Default: where only this machine can reach it, or there is a token. */
  control?: boolean
  /** What has to be sent to the control plane as a bearer token. Default: nothing has to be. */
  controlToken?: string
  /** Further routes, outside of every tenant. */
  routes?: readonly ServerRoute[]
  /** Path of a page of `routes` that browsers at `/` are redirected to. Default: none. */
  home?: string
  /** Gets one line per request, without secrets. */
  log?: (line: string) => void
  /** Gets a line about what whoever runs it has to know, such as clients for whom there is no room. Default: `log`. */
  notice?: (line: string) => void
  /** How much those may take who ask over HTTP; what is not given is as simulator/limits.ts has it. */
  limits?: Partial<SimulatorLimits>
}

export interface Simulator {
  /** Base address, without a trailing slash. */
  readonly url: string
  readonly port: number
  readonly host: string
  /** Base addresses of the further servers. */
  readonly replicas: readonly string[]
  /** The one that answers while no other is named by an API key or a session. */
  readonly tenant: Tenant
  /** Every tenant, the default one first. */
  readonly tenants: readonly Tenant[]
  /** Throws a RangeError where its seed is taken. */
  createTenant(options?: TenantOptions): Tenant
  /** Ends a tenant, and deletes what is stored of it. */
  removeTenant(tenant: Tenant): void
  /**
   * Takes no connection any more, and lets what was begun end. Resolves with what has not ended, after `withinMs` of real
   * time (default 10,000) at the latest.
   */
  drain(options?: { withinMs?: number }): Promise<InFlight>
  /** Stops listening and drops every connection, open streams too. */
  close(): Promise<void>
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

const healthOf = (persistence: Persistence | null, servers: readonly HttpServer[]): ServerRoute => ({
  method: 'GET',
  path: '/healthz',
  handle: () => {
    const own = persistence?.isAway ? 'store-away' : 'ok'
    const status = servers.some(({ draining }) => draining) ? 'draining' : own
    return jsonReply(status === 'ok' ? 200 : 503, { status }, { operation: 'health' }, safeHeaders)
  },
})

function mounted(
  options: SimulatorOptions,
  host: TenantHost,
  limits: SimulatorLimits,
  health: ServerRoute,
): readonly ServerRoute[] {
  const { host: address = '127.0.0.1', controlToken } = options
  const reachable = !isLoopbackHost(address)
  const control = options.control ?? (!reachable || controlToken !== undefined)
  if (control && reachable && controlToken === undefined)
    throw new RangeError(`Others can reach ${address}: give a controlToken, or leave the control plane out.`)
  const controls = control ? controlRoutes(host, controlToken ?? null, limits) : []
  return [health, ...controls, ...(options.routes ?? [])]
}

/** As many as are asked for, and as many as a fault needs to show. */
function serverCount({ replicas = 1, faults: names = [] }: SimulatorOptions): number {
  const rows: readonly (Fault | undefined)[] = names.map((name) => faults[name])
  return Math.max(1, replicas, ...rows.map((fault) => fault?.replicas ?? 1))
}

export async function createSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { seed = 'touchstone', host = '127.0.0.1', port = 0, log, controlToken } = options
  const limits = limitsWith(options.limits)
  const servers: HttpServer[] = []
  const address = (server?: HttpServer): string =>
    `http://${host.includes(':') ? `[${host}]` : host}:${server?.port ?? port}`
  const journal = { journalCapacity: limits.journalEntries, journalBytes: limits.journalBytes }
  const persistence = await persistenceOf(options)
  const tenantHost = hostOf({ ...journal, ...options }, seed, () => address(servers[0]), persistence)
  const dispatch: Dispatch = {
    router: createRouter(mounted(options, tenantHost, limits, healthOf(persistence, servers)), services),
    log: log ? redactedLine(log, controlToken) : null,
    inFlight: new InFlightLimit(limits),
    home: options.home ?? null,
  }
  const counts = { calls: 0, sockets: 0 }
  // Whoever asks is cut off at once, however long it takes to write down what they did.
  const close = async (): Promise<void> => {
    const closed = Promise.all(servers.map((server) => server.close()))
    tenantHost.close()
    await closed
  }
  try {
    for (let number = 1; number <= serverCount(options); number++)
      servers.push(await startHttpServer(httpServerOptions(number, counts, dispatch, tenantHost, options)))
  } catch (error) {
    await close()
    throw error
  }
  return {
    host,
    tenant: tenantHost.tenant,
    tenants: tenantHost.tenants,
    createTenant: (own) => tenantHost.createTenant(own),
    removeTenant: (one) => tenantHost.removeTenant(one),
    get url() {
      return address(servers[0])
    },
    get port() {
      return servers[0]?.port ?? port
    },
    get replicas() {
      return servers.slice(1).map(address)
    },
    drain: ({ withinMs = 10_000 } = {}) => {
      const states = () => tenantHost.tenants.map(({ state }) => state)
      return drain(servers, states, withinMs)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** A store costs its modules, which the others do without. Throws a RangeError. */
async function persistenceOf({ store, log, notice = log ?? (() => undefined) }: SimulatorOptions) {
  if (store === undefined) return null
  const path = /^file:(.+)$/s.exec(store)?.[1]
  if (path === undefined) throw new RangeError(`The store ${JSON.stringify(store)} is none: give file:PATH.`)
  const { Persistence } = await import('./store/persistence.ts')
  return new Persistence(path, notice)
}

/** Options that are none of a tenant. */
const ofSimulator = {
  port: true,
  replicas: true,
  host: true,
  store: true,
  control: true,
  controlToken: true,
  routes: true,
  home: true,
  log: true,
  notice: true,
  limits: true,
} as const satisfies Record<Exclude<keyof SimulatorOptions, keyof TenantOptions>, true>

function hostOf(
  options: SimulatorOptions,
  seed: string,
  url: () => string,
  persistence: Persistence | null,
): TenantHost {
  const ofTenant = Object.entries(options).filter(([name]) => !Object.hasOwn(ofSimulator, name))
  try {
    return createTenantHost(seed, Object.fromEntries(ofTenant), url, persistence)
  } catch (error) {
    persistence?.close()
    throw error
  }
}

function httpServerOptions(
  number: number,
  counts: HttpServerOptions['counts'],
  dispatch: Dispatch,
  tenantHost: TenantHost,
  { host = '127.0.0.1', port = 0, notice, limits }: SimulatorOptions,
): HttpServerOptions {
  return {
    number,
    counts,
    host,
    port: number === 1 ? port : 0,
    limits: limitsWith(limits),
    inFlight: dispatch.inFlight,
    answer: (call, response) => tenantHost.answer(dispatch, call, response),
    notice: notice ?? ((line) => dispatch.log?.(line)),
    unreadable: (words) => JSON.stringify(tenantHost.tenant.state.rules.errorLayout(null, words)),
  }
}
