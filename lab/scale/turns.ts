/** Processor time of a turn: in memory, over a file, over PostgreSQL, forwarded, streamed, delivered. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReplyRule } from '../../simulator/index.ts'
import { startChild } from '../../bench/processes/child.ts'
import { withAutoStop, type AutoStop } from '../../bench/processes/auto-stop.ts'
import { createWebhook } from '../../bench/processes/webhooks.ts'
import { startDatabase, type Database } from './processes/database.ts'
import type { Extent } from './extent.ts'
import type { FigureName } from './figures.ts'
import { startStressLoader, type StressLoader } from './processes/loader.ts'
import type { TenantAccess } from './processes/replica-child.ts'
import { startReplica, type ScaledReplica } from './processes/replica.ts'
import { perItem, medianOf, measureUse, type ResourceUse } from './processes/resource-use.ts'

type Found = Partial<Record<FigureName, number>>

/** All equally busy: a replica with a single tenant would be untypical. */
const tenants = 50

const streamed: ReplyRule = {
  match: { message: 'one by one' },
  reply: { tokens: Array.from({ length: 20 }, (_, at) => `token ${at + 1} `), tokenDelayMs: 1 },
}

interface TurnsContext {
  readonly autoStop: AutoStop
  readonly loader: StressLoader
  readonly extent: Extent
}

interface Load {
  readonly message?: string
  readonly extra?: object
  readonly connections?: number
  /** Waits until all effects of the turns have been processed. */
  readonly until?: () => Promise<void>
}

/** Median cost of a turn over several rounds. */
async function turnCost(
  { loader, extent }: TurnsContext,
  replicas: readonly ScaledReplica[],
  database: Database | null,
  ports: readonly number[],
  { until = () => Promise.resolve(), ...load }: Load = {},
): Promise<ResourceUse> {
  const round = async (): Promise<ResourceUse> => {
    const spent = await measureUse(replicas, database, async () => {
      const stressed = await loader.stress({ ...load, ports, until: { ms: extent.loadMs } })
      await until()
      return stressed
    })
    return perItem(spent, spent.result.turns)
  }
  await round()
  const rounds: ResourceUse[] = []
  for (let left = extent.rounds; left > 0; left -= 1) rounds.push(await round())
  return medianOf(rounds)
}

async function costsInMemory(context: TurnsContext): Promise<Found> {
  const replica = await context.autoStop(startReplica())
  await context.loader.use(await replica.make(tenants, { replyRules: [streamed] }))
  const turn = await turnCost(context, [replica], null, [replica.port])
  const stream = await turnCost(context, [replica], null, [replica.port], {
    message: 'one by one',
    extra: { stream: true },
    connections: 50,
  })
  await replica.stop()
  return { 'turn, no store': turn.replica, 'stream, no store': stream.replica }
}

async function costsInFile(context: TurnsContext): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-scale-'))
  await context.autoStop(Promise.resolve({ stop: async () => rmSync(folder, { recursive: true }) }))
  const replica = await context.autoStop(startReplica({ store: `file:${join(folder, 'store.db')}` }))
  await context.loader.use(await replica.make(tenants))
  const turn = await turnCost(context, [replica], null, [replica.port])
  await replica.stop()
  return { 'turn, file': turn.replica }
}

async function costsInPostgres(context: TurnsContext): Promise<Found> {
  const database = await context.autoStop(startDatabase())
  const replica = await context.autoStop(startReplica({ store: database.url }))
  const made = await replica.make(tenants, { replyRules: [streamed] })
  await context.loader.use(made)
  const turn = await turnCost(context, [replica], database, [replica.port])
  const stream = await turnCost(context, [replica], database, [replica.port], {
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
    ...(await forwardCost(context, database, replica, turn)),
    ...(await deliveryCost(context, database, replica, made, turn)),
  }
}

/** Sends every turn to a replica that does not own the tenant. */
async function forwardCost(
  context: TurnsContext,
  database: Database,
  owner: ScaledReplica,
  direct: ResourceUse,
): Promise<Found> {
  const other = await context.autoStop(startReplica({ store: database.url }))
  const turn = await turnCost(context, [owner, other], database, [other.port])
  await other.close()
  return { 'turn, forwarded': turn.replica - direct.replica }
}

/** Every turn causes one delivery. */
async function deliveryCost(
  context: TurnsContext,
  database: Database,
  replica: ScaledReplica,
  made: readonly TenantAccess[],
  without: ResourceUse,
): Promise<Found> {
  const receiver = await context.autoStop(startChild<number>('bench/processes/receiver-child.ts'))
  const url = `http://127.0.0.1:${replica.port}`
  const endpoint = `http://localhost:${receiver.ready}/`
  for (const access of made) await createWebhook({ url, ...access }, endpoint, ['message.sent'])
  const until = async (): Promise<void> => {
    while ((await replica.status()).waiting > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const turn = await turnCost(context, [replica], database, [replica.port], { until })
  await replica.stop()
  return {
    'delivery, replica': turn.replica - without.replica,
    'delivery, server': turn.server - without.server,
    'delivery, WAL': turn.wal - without.wal,
  }
}

export function turns(extent: Extent): Promise<Found> {
  return withAutoStop(async (autoStop) => {
    const context: TurnsContext = { autoStop, extent, loader: await autoStop(startStressLoader()) }
    return {
      ...(await costsInMemory(context)),
      ...(await costsInFile(context)),
      ...(await costsInPostgres(context)),
    }
  })
}
