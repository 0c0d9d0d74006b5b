/** Calculates the resources that a sandbox needs from unit costs and assumptions. */
import { retention } from '../../simulator/tenant/retention.ts'
import type { Figures } from './figures.ts'

/** The load of developers with a tenant each. Shares are between 0 and 1. */
export interface Sandbox {
  readonly developers: number
  /** Share of developers who are active in the busiest hour. */
  readonly active: number
  /** Turns per active developer in that hour. */
  readonly turns: number
  /** Periods of activity per active developer in that hour, separated by more than `restMinutes`. */
  readonly visits: number
  /** From the first to the last request of a visit. */
  readonly visitMinutes: number
  /** Idle time after which a tenant is unloaded. */
  readonly restMinutes: number
  /** Share of turns. */
  readonly streamed: number
  readonly streamSeconds: number
  readonly turnsPerConversation: number
  /** Share of turns that cause a delivery. */
  readonly delivered: number
  /** Runs of operations for each turn. */
  readonly runs: number
  /** Open connections per active developer. */
  readonly connections: number
  /** Equivalent busiest hours per day and days per week. */
  readonly hours: number
  readonly days: number
}

/** Prices of rented machines, in one currency. */
export interface Prices {
  readonly coreHour: number
  readonly gibHour: number
  readonly diskGibMonth: number
}

/** Safety margins. */
export interface Margins {
  /** Maximum utilization of a core in the busiest hour. */
  readonly busy: number
  /** Disk per byte of rows and indexes, for dead rows, WAL and unknowns. */
  readonly disk: number
  readonly leastReplicas: number
}

export interface Need {
  readonly turnsPerSecond: number
  readonly deliveriesPerSecond: number
  readonly loadsPerSecond: number
  readonly openStreams: number
  readonly connections: number
  readonly localTenants: number
  /** Busy cores in the busiest hour, of all replicas and of PostgreSQL. */
  readonly replicaCores: number
  readonly serverCores: number
  /** Processes of one core each. */
  readonly replicas: number
  /** Cores to provide for PostgreSQL. */
  readonly serverCoresHad: number
  /** Of all replicas. */
  readonly memoryGib: number
  readonly databaseGib: number
  readonly walGibPerDay: number
  readonly costPerMonth: number
}

const [gib, kib, hour, hoursPerMonth] = [2 ** 30, 2 ** 10, 3_600, 730]
/** Memory of PostgreSQL, mostly its cache. */
const serverGib = { least: 1, ofDatabase: 0.25 }

/** Items remembered for at most `ageMs`, of which `perHour` are created in the busiest hour. */
function remembered(perHour: number, { hours, days }: Sandbox, ageMs: number): number {
  const weeks = ageMs / (7 * 24 * hour * 1_000)
  return perHour * hours * days * weeks
}

function trafficOf(sandbox: Sandbox) {
  const { developers, active, turns, visits, visitMinutes, restMinutes } = sandbox
  const { streamed, streamSeconds, delivered, runs } = sandbox
  const workers = developers * active
  const turnsPerSecond = (workers * turns) / hour
  return {
    turnsPerSecond,
    runsPerSecond: turnsPerSecond * runs,
    deliveriesPerSecond: turnsPerSecond * delivered,
    loadsPerSecond: (workers * visits) / hour,
    openStreams: turnsPerSecond * streamed * streamSeconds,
    connections: workers * sandbox.connections,
    localTenants: workers * Math.min(1, (visits * (visitMinutes + restMinutes)) / 60),
  }
}

type Traffic = ReturnType<typeof trafficOf>

/** Remembered turns per tenant, averaged over active developers. */
const turnsOfTenant = (sandbox: Sandbox): number =>
  Math.min(retention.keys.most, remembered(sandbox.turns * sandbox.active, sandbox, retention.keys.ageMs))

function coresOf(costs: Figures, sandbox: Sandbox, traffic: Traffic) {
  const { streamed } = sandbox
  const { turnsPerSecond, runsPerSecond, deliveriesPerSecond, loadsPerSecond, localTenants } = traffic
  const keys = turnsOfTenant(sandbox)
  // A run costs about as much as a turn: both claim a key and store an outcome.
  const plain = turnsPerSecond * (1 - streamed) + runsPerSecond
  const loading = costs['load, replica'] + keys * costs['load, per key'] + costs['release, replica']
  const replica =
    plain * costs['turn, PostgreSQL'] +
    turnsPerSecond * streamed * costs['stream, PostgreSQL'] +
    deliveriesPerSecond * costs['delivery, replica'] +
    loadsPerSecond * loading +
    localTenants * costs['idle, replica']
  const server =
    plain * costs['turn, server'] +
    turnsPerSecond * streamed * costs['stream, server'] +
    deliveriesPerSecond * costs['delivery, server'] +
    loadsPerSecond * (costs['load, server'] + costs['release, server'])
  const forwarding = (turnsPerSecond + runsPerSecond) * costs['turn, forwarded']
  return { replica: replica / 1e6, server: server / 1e6, forwarding: forwarding / 1e6 }
}

/** A round-robin balancer sends 1 of `n` requests to the owner; the others are forwarded. */
function replicasFor(cores: number, forwarding: number, { busy, leastReplicas }: Margins): number {
  const enough = (many: number): boolean => cores + forwarding * (1 - 1 / many) <= many * busy
  let many = leastReplicas
  while (!enough(many)) many += 1
  return many
}

function storedOf(costs: Figures, sandbox: Sandbox): number {
  const perHour = sandbox.developers * sandbox.active * sandbox.turns
  const row = (bytes: number): number => bytes + costs['index, stored']
  const of = (share: number, ageMs: number, bytes: number): number =>
    remembered(perHour * share, sandbox, ageMs) * row(bytes)
  return (
    sandbox.developers * costs['tenant, stored'] +
    of(1, retention.keys.ageMs, costs['key, stored']) +
    of(1 / sandbox.turnsPerConversation, retention.conversations.ageMs, costs['conversation, stored']) +
    of(sandbox.delivered, retention.deliveries.ageMs, costs['delivery, stored']) +
    of(sandbox.runs, retention.runs.ageMs, costs['run, stored'])
  )
}

function memoryOf(costs: Figures, sandbox: Sandbox, traffic: Traffic, replicas: number): number {
  const tenant = costs['tenant, memory'] + turnsOfTenant(sandbox) * costs['turn, memory']
  const kibibytes =
    replicas * costs['replica, memory'] +
    traffic.localTenants * tenant +
    traffic.openStreams * costs['stream, memory'] +
    traffic.connections * costs['connection, memory']
  return (kibibytes * kib) / gib
}

export function needOf(costs: Figures, sandbox: Sandbox, margins: Margins, prices: Prices): Need {
  const traffic = trafficOf(sandbox)
  const cores = coresOf(costs, sandbox, traffic)
  const replicas = replicasFor(cores.replica, cores.forwarding, margins)
  const serverCoresHad = Math.max(1, Math.ceil(cores.server / margins.busy))
  const memoryGib = memoryOf(costs, sandbox, traffic, replicas)
  const databaseGib = (storedOf(costs, sandbox) * margins.disk) / gib
  const { turnsPerSecond, runsPerSecond, deliveriesPerSecond } = traffic
  const wal =
    (turnsPerSecond + runsPerSecond) * costs['turn, WAL'] + deliveriesPerSecond * costs['delivery, WAL']
  const held = memoryGib + serverGib.least + serverGib.ofDatabase * databaseGib
  return {
    ...traffic,
    replicaCores: cores.replica + cores.forwarding * (1 - 1 / replicas),
    serverCores: cores.server,
    replicas,
    serverCoresHad,
    memoryGib,
    databaseGib,
    walGibPerDay: (wal * hour * sandbox.hours) / gib,
    costPerMonth:
      hoursPerMonth * ((replicas + serverCoresHad) * prices.coreHour + held * prices.gibHour) +
      databaseGib * prices.diskGibMonth,
  }
}

/** Turns per second of one replica at maximum utilization, without forwarding. */
export const turnsOfOne = (
  costs: Figures,
  name: 'turn, no store' | 'turn, file' | 'turn, PostgreSQL',
  { busy }: Margins,
): number => (busy * 1e6) / costs[name]
