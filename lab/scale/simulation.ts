/**
 * A sandbox of many developers on one machine: all of their tenants in one PostgreSQL, turns of them drawn so that few
 * are busy and most come now and then, webhooks of some, tenants put down as soon as they rest.
 */
import { startChild } from '../../bench/child.ts'
import { stopping } from '../../bench/stopping.ts'
import { startDatabase, type Bulk, type Database } from './database.ts'
import type { Extent } from './extent.ts'
import { startStressLoader, type Stressed } from './loader.ts'
import { populate, type Populated } from './populate.ts'
import { startReplica, type ScaledReplica } from './replica.ts'
import { spending, type Cost } from './spend.ts'

export interface Sample {
  /** Seconds since the load began. */
  readonly second: number
  /** Of both replicas, in MiB. */
  readonly resident: number
  readonly heap: number
  /** Tenants that are run. */
  readonly tenants: number
  /** MiB of everything in the database. */
  readonly database: number
  readonly dead: number
}

export interface Collected {
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
  readonly made: Omit<Populated, 'all'>
  readonly seconds: number
  readonly turns: number
  /** Different tenants that were asked. */
  readonly asked: number
  readonly statuses: Stressed['statuses']
  readonly latency: Stressed['latency']
  /** Of a core, all replicas together. */
  readonly replicaCores: number
  readonly serverCores: number
  readonly walPerTurn: number
  readonly turnsPerCommit: number
  readonly claims: number
  readonly deliveries: number
  readonly samples: readonly Sample[]
  /** Heaps after full collections: before the load, as soon as it is over, and once every tenant rests. */
  readonly collected: Readonly<Record<'before' | 'after' | 'rested', Collected>>
  readonly bulk: Bulk
}

const [replicas, idleMs, rate, exponent] = [2, 5_000, 250, 0.9]
/** One tenant in so many has a webhook. */
const webhookEvery = 10
const samplesOf = 12
const mebibyte = 2 ** 20

async function sample(database: Database, running: readonly ScaledReplica[], began: number): Promise<Sample> {
  const seen = await Promise.all(running.map((replica) => replica.look()))
  const sum = (of: (one: (typeof seen)[number]) => number): number =>
    seen.reduce((total, one) => total + of(one), 0)
  const { size, dead } = await database.bulk()
  return {
    second: (performance.now() - began) / 1_000,
    resident: sum(({ resident }) => resident) / mebibyte,
    heap: sum(({ heap }) => heap) / mebibyte,
    tenants: sum(({ tenants }) => tenants),
    database: size / mebibyte,
    dead,
  }
}

/** Together, after a full collection; the heap in MiB. */
async function weighed(running: readonly ScaledReplica[]): Promise<Collected> {
  const seen = await Promise.all(running.map((replica) => replica.weigh()))
  return {
    heap: seen.reduce((sum, { heap }) => sum + heap, 0) / mebibyte,
    tenants: seen.reduce((sum, { tenants }) => sum + tenants, 0),
  }
}

/** Nobody asks any more: each is put down after a while; a webhook that is retried would keep some for longer. */
async function rested(running: readonly ScaledReplica[]): Promise<Collected> {
  for (let left = 60; left > 0; left -= 1) {
    const seen = await Promise.all(running.map((replica) => replica.look()))
    if (seen.every(({ tenants }) => tenants === 0)) break
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
  return weighed(running)
}

/** A dozen times while the work lasts. */
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
  return stopping(async (keep) => {
    const database = await keep(startDatabase())
    const loader = await keep(startStressLoader())
    const receiver = await keep(startChild<number>('bench/receiver-child.ts'))
    const webhook = { endpoint: `http://localhost:${receiver.ready}/`, every: webhookEvery }
    const { all, ...made } = await populate(database, extent.tenants, webhook)
    const running: ScaledReplica[] = []
    while (running.length < replicas) running.push(await keep(startReplica({ store: database.url, idleMs })))
    await loader.use(all)
    const before = await weighed(running)
    const epochs = (): Promise<number> => database.number('select sum(epoch) from touchstone.tenants')
    const claimed = await epochs()
    const load = { ports: running.map(({ port }) => port), rate, exponent, connections: 64 }
    const until = { ms: extent.simulatedMs }
    const began = performance.now()
    const take = () => sample(database, running, began)
    const everyMs = extent.simulatedMs / samplesOf
    const spent = await spending(running, database, () =>
      sampling(everyMs, take, loader.bear({ ...load, until })),
    )
    const [stressed, samples] = spent.result
    const after = await weighed(running)
    const deliveries = await database.number(
      `select count(*) from touchstone.documents where kind = 'delivery'`,
    )
    return {
      ...facts(stressed, spent),
      tenants: extent.tenants,
      made,
      webhooks: Math.ceil(extent.tenants / webhookEvery),
      claims: (await epochs()) - claimed,
      deliveries,
      samples,
      collected: { before, after, rested: await rested(running) },
      bulk: await database.bulk(),
    }
  })
}

function facts(stressed: Stressed, spent: Cost) {
  const { turns, asked, statuses, latency } = stressed
  return {
    replicas,
    rate,
    idleSeconds: idleMs / 1_000,
    seconds: stressed.took / 1_000,
    turns,
    asked,
    statuses,
    latency,
    replicaCores: spent.replica / 1_000 / spent.took,
    serverCores: spent.server / 1_000 / spent.took,
    walPerTurn: spent.wal / turns,
    turnsPerCommit: turns / spent.commits,
  }
}
