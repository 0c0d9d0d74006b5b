/** What one turn takes of processors: without a store, over a file, over PostgreSQL, passed on, streamed, delivered. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReplyRule } from '../../simulator/index.ts'
import { startChild } from '../../bench/child.ts'
import { stopping, type Keep } from '../../bench/stopping.ts'
import { createWebhook } from '../../bench/webhooks.ts'
import { startDatabase, type Database } from './database.ts'
import type { Extent } from './extent.ts'
import type { FigureName } from './figures.ts'
import { startStressLoader, type StressLoader } from './loader.ts'
import type { Access } from './replica-child.ts'
import { startReplica, type ScaledReplica } from './replica.ts'
import { each, middle, spending, type Spent } from './spend.ts'

type Found = Partial<Record<FigureName, number>>

/** Tenants that are as busy as one another: what is counted is that of a replica with many, not with one. */
const tenants = 50

const streamed: ReplyRule = {
  match: { message: 'one by one' },
  reply: { tokens: Array.from({ length: 20 }, (_, at) => `token ${at + 1} `), tokenDelayMs: 1 },
}

interface Bench {
  readonly keep: Keep
  readonly loader: StressLoader
  readonly extent: Extent
}

interface Load {
  readonly message?: string
  readonly extra?: object
  readonly connections?: number
  /** Until nothing that came of it is under way any more. */
  readonly until?: () => Promise<void>
}

/** What one of its turns takes of these replicas, in the middle of some rounds. */
async function turnCost(
  { loader, extent }: Bench,
  replicas: readonly ScaledReplica[],
  database: Database | null,
  ports: readonly number[],
  { until = () => Promise.resolve(), ...load }: Load = {},
): Promise<Spent> {
  const round = async (): Promise<Spent> => {
    const spent = await spending(replicas, database, async () => {
      const stressed = await loader.stress({ ...load, ports, until: { ms: extent.loadMs } })
      await until()
      return stressed
    })
    return each(spent, spent.result.turns)
  }
  await round()
  const rounds: Spent[] = []
  for (let left = extent.rounds; left > 0; left -= 1) rounds.push(await round())
  return middle(rounds)
}

async function alone(bench: Bench): Promise<Found> {
  const replica = await bench.keep(startReplica())
  await bench.loader.use(await replica.make(tenants, { replyRules: [streamed] }))
  const turn = await turnCost(bench, [replica], null, [replica.port])
  const stream = await turnCost(bench, [replica], null, [replica.port], {
    message: 'one by one',
    extra: { stream: true },
    connections: 50,
  })
  await replica.stop()
  return { 'turn, nothing kept': turn.replica, 'stream, nothing kept': stream.replica }
}

async function overFile(bench: Bench): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-scale-'))
  await bench.keep(Promise.resolve({ stop: async () => rmSync(folder, { recursive: true }) }))
  const replica = await bench.keep(startReplica({ store: `file:${join(folder, 'store.db')}` }))
  await bench.loader.use(await replica.make(tenants))
  const turn = await turnCost(bench, [replica], null, [replica.port])
  await replica.stop()
  return { 'turn, file': turn.replica }
}

async function overPostgres(bench: Bench): Promise<Found> {
  const database = await bench.keep(startDatabase())
  const replica = await bench.keep(startReplica({ store: database.url }))
  const made = await replica.make(tenants, { replyRules: [streamed] })
  await bench.loader.use(made)
  const turn = await turnCost(bench, [replica], database, [replica.port])
  const stream = await turnCost(bench, [replica], database, [replica.port], {
    message: 'one by one',
    extra: { stream: true },
    connections: 50,
  })
  return {
    'turn, PostgreSQL': turn.replica,
    'turn, server': turn.server,
    'turn, WAL': turn.wal,
    'stream, PostgreSQL': stream.replica,
    'stream, server': stream.server,
    ...(await passedOn(bench, database, replica, turn)),
    ...(await delivered(bench, database, replica, made, turn)),
  }
}

/** Every turn comes to a replica that does not play its tenant. */
async function passedOn(
  bench: Bench,
  database: Database,
  owner: ScaledReplica,
  direct: Spent,
): Promise<Found> {
  const other = await bench.keep(startReplica({ store: database.url }))
  const turn = await turnCost(bench, [owner, other], database, [other.port])
  await other.close()
  return { 'turn, passed on': turn.replica - direct.replica }
}

/** Every turn makes one delivery; to one webhook they go one after the other. */
async function delivered(
  bench: Bench,
  database: Database,
  replica: ScaledReplica,
  made: readonly Access[],
  without: Spent,
): Promise<Found> {
  const receiver = await bench.keep(startChild<number>('bench/receiver-child.ts'))
  const url = `http://127.0.0.1:${replica.port}`
  const endpoint = `http://localhost:${receiver.ready}/`
  for (const access of made) await createWebhook({ url, ...access }, endpoint, ['message.sent'])
  const until = async (): Promise<void> => {
    while ((await replica.look()).waiting > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const turn = await turnCost(bench, [replica], database, [replica.port], { until })
  await replica.stop()
  return {
    'delivery, replica': turn.replica - without.replica,
    'delivery, server': turn.server - without.server,
    'delivery, WAL': turn.wal - without.wal,
  }
}

export function turns(extent: Extent): Promise<Found> {
  return stopping(async (keep) => {
    const bench: Bench = { keep, extent, loader: await keep(startStressLoader()) }
    return { ...(await alone(bench)), ...(await overFile(bench)), ...(await overPostgres(bench)) }
  })
}
