/** From what one of each thing takes to what a sandbox takes: plain arithmetic, and every assumption an input. */
import { retention } from '../../simulator/tenant/retention.ts'
import type { Figures } from './figures.ts'

/** What developers do with a tenant each. Shares are of 1. */
export interface Sandbox {
  readonly developers: number
  /** Of them, those who send anything in the busiest hour. */
  readonly active: number
  /** Of each of those, in that hour. */
  readonly turns: number
  /** How often each of those comes anew in that hour, after which the tenant rests for longer than `restMinutes`. */
  readonly visits: number
  /** From the first request of a visit to the last one. */
  readonly visitMinutes: number
  /** How long a tenant that nobody asks for stays in memory. */
  readonly restMinutes: number
  /** Of turns. */
  readonly streamed: number
  readonly streamSeconds: number
  readonly turnsPerConversation: number
  /** Of turns: those of a tenant with a webhook that wants what comes of them. */
  readonly delivered: number
  /** Runs of operations for each turn. */
  readonly runs: number
  /** Connections that each active developer keeps open. */
  readonly connections: number
  /** Busiest hours that a day amounts to, and days that a week does. */
  readonly hours: number
  readonly days: number
}

/** What machines are rented for, in one currency. */
export interface Prices {
  readonly coreHour: number
  readonly gibHour: number
  readonly diskGibMonth: number
}

/** How full anything may be. */
export interface Margins {
  /** Of a core, in the busiest hour. */
  readonly busy: number
  /** Disk for each byte of rows and indexes: for dead rows, WAL and what is not known. */
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
  /** Cores at work in the busiest hour, of all replicas, and of PostgreSQL. */
  readonly replicaCores: number
  readonly serverCores: number
  /** Processes of one core each, so that none is busier than it may be. */
  readonly replicas: number
  /** To be had for PostgreSQL, so that it is not busier than it may be. */
  readonly serverCoresHad: number
  /** Of all replicas. */
  readonly memoryGib: number
  readonly databaseGib: number
  readonly walGibPerDay: number
  readonly costPerMonth: number
}

const [gib, kib, hour, hoursPerMonth] = [2 ** 30, 2 ** 10, 3_600, 730]
/** For PostgreSQL itself: what it caches is what makes it need few reads. */
const serverGib = { least: 1, ofDatabase: 0.25 }

/** Of things that come at `perHour` in the busiest hour: those that are remembered, `ageMs` at most. */
function remembered(perHour: number, { hours, days }: Sandbox, ageMs: number): number {
  const weeks = ageMs / (7 * 24 * hour * 1_000)
  return perHour * hours * days * weeks
}

/** What the busiest hour asks for. */
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

/** Turns that a tenant remembers, on average over those who are at work. */
const turnsOfTenant = (sandbox: Sandbox): number =>
  Math.min(retention.keys.most, remembered(sandbox.turns * sandbox.active, sandbox, retention.keys.ageMs))

function coresOf(costs: Figures, sandbox: Sandbox, traffic: Traffic) {
  const { streamed } = sandbox
  const { turnsPerSecond, runsPerSecond, deliveriesPerSecond, loadsPerSecond, localTenants } = traffic
  const keys = turnsOfTenant(sandbox)
  // A run is taken for a turn: both are a key that is claimed, and an outcome that is written.
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
  const passedOn = (turnsPerSecond + runsPerSecond) * costs['turn, passed on']
  return { replica: replica / 1e6, server: server / 1e6, passedOn: passedOn / 1e6 }
}

/** A balancer that knows no owners sends all but one in so many to a replica that passes them on. */
function replicasFor(cores: number, passedOn: number, { busy, leastReplicas }: Margins): number {
  const enough = (many: number): boolean => cores + passedOn * (1 - 1 / many) <= many * busy
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
  const tenant = costs['tenant, resident'] + turnsOfTenant(sandbox) * costs['turn, resident']
  const kibibytes =
    replicas * costs['replica, resident'] +
    traffic.localTenants * tenant +
    traffic.openStreams * costs['stream, resident'] +
    traffic.connections * costs['connection, resident']
  return (kibibytes * kib) / gib
}

export function needOf(costs: Figures, sandbox: Sandbox, margins: Margins, prices: Prices): Need {
  const traffic = trafficOf(sandbox)
  const cores = coresOf(costs, sandbox, traffic)
  const replicas = replicasFor(cores.replica, cores.passedOn, margins)
  const serverCoresHad = Math.max(1, Math.ceil(cores.server / margins.busy))
  const memoryGib = memoryOf(costs, sandbox, traffic, replicas)
  const databaseGib = (storedOf(costs, sandbox) * margins.disk) / gib
  const { turnsPerSecond, runsPerSecond, deliveriesPerSecond } = traffic
  const wal =
    (turnsPerSecond + runsPerSecond) * costs['turn, WAL'] + deliveriesPerSecond * costs['delivery, WAL']
  const held = memoryGib + serverGib.least + serverGib.ofDatabase * databaseGib
  return {
    ...traffic,
    replicaCores: cores.replica + cores.passedOn * (1 - 1 / replicas),
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

/** Turns a second that one replica carries while it is as busy as it may be, nothing passed on. */
export const turnsOfOne = (
  costs: Figures,
  name: 'turn, nothing kept' | 'turn, file' | 'turn, PostgreSQL',
  { busy }: Margins,
): number => (busy * 1e6) / costs[name]
