/**
 * Simulates a sandbox of many developers on one machine: all tenants in one PostgreSQL, turns with a Zipf distribution
 * of tenants, some webhooks, and tenants unloaded soon after their last request.
 */
import { startChild } from '../../bench/processes/child.ts'
import { withAutoStop } from '../../bench/processes/auto-stop.ts'
import { startDatabase, type Bulk, type Database } from './processes/database.ts'
import type { Extent } from './extent.ts'
import { startStressLoader, type Stressed } from './processes/loader.ts'
import { populate, type Populated } from './populate.ts'
import { startReplica, type ScaledReplica } from './processes/replica.ts'
import { measureUse, type TimedUse } from './processes/resource-use.ts'

export interface Sample {
  /** Seconds since the start of the load. */
  readonly second: number
  /** Of all replicas, in MiB. */
  readonly rss: number
  readonly heap: number
  /** Loaded tenants. */
  readonly tenants: number
  /** Size of the database in MiB. */
  readonly database: number
  readonly dead: number
}

export interface HeapAfterGc {
  /** MiB. */
  readonly heap: number
  readonly tenants: number
}

export interface Simulation {
  readonly tenants: number
  readonly replicas: number
  readonly rate: number
  readonly webhooks: number
  readonly idleSeconds: number
  readonly creation: Omit<Populated, 'all'>
  readonly seconds: number
  readonly turns: number
  /** Number of different tenants. */
  readonly used: number
  readonly statuses: Stressed['statuses']
  readonly latency: Stressed['latency']
  /** Busy cores of all replicas. */
  readonly replicaCores: number
  readonly serverCores: number
  readonly walPerTurn: number
  readonly turnsPerCommit: number
  readonly loads: number
  readonly deliveries: number
  readonly samples: readonly Sample[]
  /** Heaps after full garbage collections: before the load, after it, and when all tenants are unloaded. */
  readonly heapAfterGc: Readonly<Record<'before' | 'after' | 'unloaded', HeapAfterGc>>
  readonly bulk: Bulk
}

const [replicas, idleMs, rate, exponent] = [2, 5_000, 250, 0.9]
/** One tenant in so many has a webhook. */
const webhookEvery = 10
const samplesOf = 12
const mebibyte = 2 ** 20

async function sample(database: Database, running: readonly ScaledReplica[], began: number): Promise<Sample> {
  const seen = await Promise.all(running.map((replica) => replica.status()))
  const sum = (of: (one: (typeof seen)[number]) => number): number =>
    seen.reduce((total, one) => total + of(one), 0)
  const { size, dead } = await database.bulk()
  return {
    second: (performance.now() - began) / 1_000,
    rss: sum(({ rss }) => rss) / mebibyte,
    heap: sum(({ heap }) => heap) / mebibyte,
    tenants: sum(({ tenants }) => tenants),
    database: size / mebibyte,
    dead,
  }
}

/** Sums over all replicas after a full garbage collection. */
async function afterGc(running: readonly ScaledReplica[]): Promise<HeapAfterGc> {
  const seen = await Promise.all(running.map((replica) => replica.statusAfterGc()))
  return {
    heap: seen.reduce((sum, { heap }) => sum + heap, 0) / mebibyte,
    tenants: seen.reduce((sum, { tenants }) => sum + tenants, 0),
  }
}

/** Waits until idle tenants are unloaded, at most a minute because of deliveries that are retried. */
async function unloaded(running: readonly ScaledReplica[]): Promise<HeapAfterGc> {
  for (let left = 60; left > 0; left -= 1) {
    const seen = await Promise.all(running.map((replica) => replica.status()))
    if (seen.every(({ tenants }) => tenants === 0)) break
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
  return afterGc(running)
}

/** Takes samples at an interval during the work. */
async function sampling<T>(
  everyMs: number,
  take: () => Promise<Sample>,
  work: Promise<T>,
): Promise<[T, readonly Sample[]]> {
  const samples: Sample[] = []
  const looking = async (): Promise<void> => {
    while (samples.length < samplesOf) {
      await new Promise((resolve) => setTimeout(resolve, everyMs))
      samples.push(await take())
    }
  }
  const [result] = await Promise.all([work, looking()])
  return [result, samples]
}

export function simulation(extent: Extent): Promise<Simulation> {
  return withAutoStop(async (autoStop) => {
    const database = await autoStop(startDatabase())
    const loader = await autoStop(startStressLoader())
    const receiver = await autoStop(startChild<number>('bench/processes/receiver-child.ts'))
    const webhook = { endpoint: `http://localhost:${receiver.ready}/`, every: webhookEvery }
    const { all, ...creation } = await populate(database, extent.tenants, webhook)
    const running: ScaledReplica[] = []
    while (running.length < replicas)
      running.push(await autoStop(startReplica({ store: database.url, idleMs })))
    await loader.use(all)
    const before = await afterGc(running)
    const epochs = (): Promise<number> => database.number('select sum(epoch) from touchstone.tenants')
    const claimed = await epochs()
    const load = { ports: running.map(({ port }) => port), rate, exponent, connections: 64 }
    const until = { ms: extent.simulatedMs }
    const began = performance.now()
    const take = () => sample(database, running, began)
    const everyMs = extent.simulatedMs / samplesOf
    const spent = await measureUse(running, database, () =>
      sampling(everyMs, take, loader.stressUnchecked({ ...load, until })),
    )
    const [stressed, samples] = spent.result
    const after = await afterGc(running)
    const deliveries = await database.number(
      `select count(*) from touchstone.documents where kind = 'delivery'`,
    )
    return {
      ...facts(stressed, spent),
      tenants: extent.tenants,
      creation: creation,
      webhooks: Math.ceil(extent.tenants / webhookEvery),
      loads: (await epochs()) - claimed,
      deliveries,
      samples,
      heapAfterGc: { before, after, unloaded: await unloaded(running) },
      bulk: await database.bulk(),
    }
  })
}

function facts(stressed: Stressed, spent: TimedUse) {
  const { turns, used, statuses, latency } = stressed
  return {
    replicas,
    rate,
    idleSeconds: idleMs / 1_000,
    seconds: stressed.ms / 1_000,
    turns,
    used: used,
    statuses,
    latency,
    replicaCores: spent.replica / 1_000 / spent.ms,
    serverCores: spent.server / 1_000 / spent.ms,
    walPerTurn: spent.wal / turns,
    turnsPerCommit: turns / spent.commits,
  }
}
