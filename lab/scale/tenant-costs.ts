/** Memory of a tenant in a replica, and the cost of creating, loading and unloading it. */
import type { ReplyRule } from '../../simulator/index.ts'
import { withAutoStop } from '../../bench/processes/auto-stop.ts'
import { startDatabase, type Database } from './processes/database.ts'
import type { Extent } from './extent.ts'
import type { FigureName } from './figures.ts'
import { startStressLoader, type StressLoader } from './processes/loader.ts'
import type { TenantAccess } from './processes/replica-child.ts'
import { startReplica, type ScaledReplica } from './processes/replica.ts'
import { idle, openSockets, streaming } from './processes/sockets.ts'
import { perItem, measureUse } from './processes/resource-use.ts'

type Found = Partial<Record<FigureName, number>>

export interface LoadTime {
  readonly keys: number
  /** Response time of the first request of a tenant that is not loaded, in ms. */
  readonly ms: number
}

const kibibyte = 1_024

const endless: ReplyRule = {
  match: { message: 'wait' },
  reply: { tokens: ['one', 'two'], tokenDelayMs: 3_600_000 },
}

interface TenantCostContext {
  readonly database: Database
  readonly loader: StressLoader
  readonly extent: Extent
  readonly start: () => Promise<ScaledReplica>
}

async function creationCosts(
  context: TenantCostContext,
  replica: ScaledReplica,
): Promise<[Found, readonly TenantAccess[]]> {
  const { database, extent } = context
  const [before, size] = [await replica.statusAfterGc(), (await database.bulk()).size]
  const spent = await measureUse([replica], database, () => replica.make(extent.averagedOver))
  const after = await replica.statusAfterGc()
  const one = perItem(spent, extent.averagedOver)
  const found: Found = {
    'creation, replica': one.replica,
    'creation, server': one.server,
    'tenant, memory': (after.heap - before.heap) / extent.averagedOver / kibibyte,
    'tenant, stored': ((await database.bulk()).size - size) / extent.averagedOver,
  }
  return [found, spent.result]
}

/** The difference between the first turn of each tenant in a replica, which loads it, and the second. */
async function loadCosts(
  { database, loader, extent }: TenantCostContext,
  replica: ScaledReplica,
): Promise<Found> {
  const once = async () => {
    const spent = await measureUse([replica], database, () =>
      loader.stress({
        ports: [replica.port],
        until: { turns: extent.averagedOver },
        exponent: 'in order',
        connections: 4,
      }),
    )
    return perItem(spent, spent.result.turns)
  }
  const [cold, startWarmReplica] = [await once(), await once()]
  return {
    'load, replica': cold.replica - startWarmReplica.replica,
    'load, server': cold.server - startWarmReplica.server,
  }
}

async function activeCosts({ loader, extent }: TenantCostContext, replica: ScaledReplica): Promise<Found> {
  const before = await replica.statusAfterGc()
  const { turns } = await loader.stress({ ports: [replica.port], until: { ms: extent.loadMs * 2 } })
  const after = await replica.statusAfterGc()
  const rest = await measureUse([replica], null, () => new Promise((resolve) => setTimeout(resolve, 3_000)))
  return {
    'turn, memory': (after.heap - before.heap) / turns / kibibyte,
    'idle, replica': perItem(rest, after.tenants).replica / (rest.ms / 1_000),
  }
}

async function unloadCosts({ database }: TenantCostContext, replica: ScaledReplica): Promise<Found> {
  const { tenants } = await replica.status()
  const one = perItem(await measureUse([replica], database, () => replica.close()), tenants)
  await replica.stop()
  return { 'release, replica': one.replica, 'release, server': one.server }
}

/** A replica that has run turns of other tenants, so that its code is optimized. */
async function startWarmReplica({ loader, start }: TenantCostContext): Promise<ScaledReplica> {
  const replica = await start()
  await loader.use(await replica.make(50))
  await loader.stress({ ports: [replica.port], until: { turns: 1_000 } })
  return replica
}

/** One load time per element of `extent.keys`, of which the first is 0. */
async function loadCostsByKeys(context: TenantCostContext): Promise<[Found, readonly LoadTime[]]> {
  const { database, loader, extent, start } = context
  const loadTimes: (LoadTime & { replica: number })[] = []
  for (const keys of extent.keys) {
    const owner = await start()
    const tenant = await owner.make(1)
    await loader.use(tenant)
    if (keys > 0) await loader.stress({ ports: [owner.port], connections: 32, until: { turns: keys } })
    await owner.close()
    const next = await startWarmReplica(context)
    await loader.use(tenant)
    const { result, replica } = await measureUse([next], database, () =>
      loader.stress({ ports: [next.port], connections: 1, until: { turns: 1 } }),
    )
    loadTimes.push({ keys, ms: result.latency.p50, replica })
    for (const each of [owner, next]) await each.stop()
  }
  const [first, last] = [loadTimes[0], loadTimes.at(-1)]
  const perKey = first && last ? (last.replica - first.replica) / (last.keys - first.keys) : Number.NaN
  return [{ 'load, per key': perKey }, loadTimes.map(({ keys, ms }) => ({ keys, ms }))]
}

/** Uses a new replica: memory freed by earlier work but not returned would hide the use of these sockets. */
async function memoryPerSocket(
  { extent }: TenantCostContext,
  bytesOf: (tenants: readonly TenantAccess[]) => (at: number) => string,
) {
  const replica = await startReplica()
  try {
    const tenants = await replica.make(20, { replyRules: [endless] })
    const before = await replica.statusAfterGc()
    const sockets = await openSockets(replica.port, extent.averagedOver, bytesOf(tenants))
    const after = await replica.statusAfterGc()
    for (const socket of sockets) socket.destroy()
    const one = (after.rss - before.rss) / extent.averagedOver / kibibyte
    return { one, base: before.rss / kibibyte }
  } finally {
    await replica.stop()
  }
}

async function socketMemory(context: TenantCostContext): Promise<Found> {
  const connection = await memoryPerSocket(context, () => idle)
  const stream = await memoryPerSocket(context, (tenants) => streaming(tenants, 'wait'))
  return {
    'replica, memory': connection.base,
    'connection, memory': connection.one,
    'stream, memory': stream.one,
  }
}

/** `loadTimes`: response times of the first request by number of keys. */
export function tenantCosts(extent: Extent): Promise<{ found: Found; loadTimes: readonly LoadTime[] }> {
  return withAutoStop(async (autoStop) => {
    const database = await autoStop(startDatabase())
    const loader = await autoStop(startStressLoader())
    const start = () => autoStop(startReplica({ store: database.url }))
    const context: TenantCostContext = { database, loader, extent, start }
    const maker = await start()
    const [making, tenants] = await creationCosts(context, maker)
    await loader.use(tenants)
    const down = await unloadCosts(context, maker)
    const next = await start()
    const up = await loadCosts(context, next)
    const life = await activeCosts(context, next)
    await next.close()
    await next.stop()
    const [perKey, loadTimes] = await loadCostsByKeys(context)
    return {
      found: { ...making, ...down, ...up, ...life, ...perKey, ...(await socketMemory(context)) },
      loadTimes: loadTimes,
    }
  })
}
