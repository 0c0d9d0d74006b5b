/** What a tenant takes where it is run, and what it takes to make it, to take it up and to put it down. */
import type { ReplyRule } from '../../simulator/index.ts'
import { stopping } from '../../bench/stopping.ts'
import { startDatabase, type Database } from './database.ts'
import type { Extent } from './extent.ts'
import type { FigureName } from './figures.ts'
import { startStressLoader, type StressLoader } from './loader.ts'
import type { Access } from './replica-child.ts'
import { startReplica, type ScaledReplica } from './replica.ts'
import { idle, openSockets, streaming } from './sockets.ts'
import { each, spending } from './spend.ts'

type Found = Partial<Record<FigureName, number>>

export interface Taking {
  readonly keys: number
  /** From a request of a tenant that nobody runs to its answer, in ms. */
  readonly ms: number
}

const kibibyte = 1_024

const endless: ReplyRule = {
  match: { message: 'wait' },
  reply: { tokens: ['one', 'two'], tokenDelayMs: 3_600_000 },
}

interface Stage {
  readonly database: Database
  readonly loader: StressLoader
  readonly extent: Extent
  readonly start: () => Promise<ScaledReplica>
}

async function made(stage: Stage, replica: ScaledReplica): Promise<[Found, readonly Access[]]> {
  const { database, extent } = stage
  const [before, size] = [await replica.weigh(), (await database.bulk()).size]
  const spent = await spending([replica], database, () => replica.make(extent.weighed))
  const after = await replica.weigh()
  const one = each(spent, extent.weighed)
  const found: Found = {
    'making, replica': one.replica,
    'making, server': one.server,
    'tenant, resident': (after.heap - before.heap) / extent.weighed / kibibyte,
    'tenant, stored': ((await database.bulk()).size - size) / extent.weighed,
  }
  return [found, spent.result]
}

/** A turn of each of them to a replica that has none of them, and then one more. */
async function takenUp({ database, loader, extent }: Stage, replica: ScaledReplica): Promise<Found> {
  const once = async () => {
    const spent = await spending([replica], database, () =>
      loader.stress({
        ports: [replica.port],
        until: { turns: extent.weighed },
        exponent: 'in order',
        connections: 4,
      }),
    )
    return each(spent, spent.result.turns)
  }
  const [cold, warm] = [await once(), await once()]
  return { 'load, replica': cold.replica - warm.replica, 'load, server': cold.server - warm.server }
}

async function busy({ loader, extent }: Stage, replica: ScaledReplica): Promise<Found> {
  const before = await replica.weigh()
  const { turns } = await loader.stress({ ports: [replica.port], until: { ms: extent.loadMs * 2 } })
  const after = await replica.weigh()
  const rest = await spending([replica], null, () => new Promise((resolve) => setTimeout(resolve, 3_000)))
  return {
    'turn, resident': (after.heap - before.heap) / turns / kibibyte,
    'idle, replica': each(rest, after.tenants).replica / (rest.took / 1_000),
  }
}

async function putDown({ database }: Stage, replica: ScaledReplica): Promise<Found> {
  const { tenants } = await replica.look()
  const one = each(await spending([replica], database, () => replica.close()), tenants)
  await replica.stop()
  return { 'release, replica': one.replica, 'release, server': one.server }
}

/** One that has played others for a while: code that runs for the first time is slow. */
async function warm({ loader, start }: Stage): Promise<ScaledReplica> {
  const replica = await start()
  await loader.use(await replica.make(50))
  await loader.stress({ ports: [replica.port], until: { turns: 1_000 } })
  return replica
}

/** In the order of `extent.keys`; the first is a tenant without any. */
async function withKeys(stage: Stage): Promise<[Found, readonly Taking[]]> {
  const { database, loader, extent, start } = stage
  const takings: (Taking & { replica: number })[] = []
  for (const keys of extent.keys) {
    const owner = await start()
    const tenant = await owner.make(1)
    await loader.use(tenant)
    if (keys > 0) await loader.stress({ ports: [owner.port], connections: 32, until: { turns: keys } })
    await owner.close()
    const next = await warm(stage)
    await loader.use(tenant)
    const { result, replica } = await spending([next], database, () =>
      loader.stress({ ports: [next.port], connections: 1, until: { turns: 1 } }),
    )
    takings.push({ keys, ms: result.latency.p50, replica })
    for (const each of [owner, next]) await each.stop()
  }
  const [first, last] = [takings[0], takings.at(-1)]
  const perKey = first && last ? (last.replica - first.replica) / (last.keys - first.keys) : Number.NaN
  return [{ 'load, per key': perKey }, takings.map(({ keys, ms }) => ({ keys, ms }))]
}

/** In a replica of its own: memory that one gave back to itself would hide what the next takes. */
async function held({ extent }: Stage, bytesOf: (tenants: readonly Access[]) => (at: number) => string) {
  const replica = await startReplica()
  try {
    const tenants = await replica.make(20, { replyRules: [endless] })
    const before = await replica.weigh()
    const sockets = await openSockets(replica.port, extent.weighed, bytesOf(tenants))
    const after = await replica.weigh()
    for (const socket of sockets) socket.destroy()
    const one = (after.resident - before.resident) / extent.weighed / kibibyte
    return { one, base: before.resident / kibibyte }
  } finally {
    await replica.stop()
  }
}

async function waiting(stage: Stage): Promise<Found> {
  const connection = await held(stage, () => idle)
  const stream = await held(stage, (tenants) => streaming(tenants, 'wait'))
  return {
    'replica, resident': connection.base,
    'connection, resident': connection.one,
    'stream, resident': stream.one,
  }
}

/** `takings`: how long whoever asks first waits, for tenants of so many keys. */
export function residence(extent: Extent): Promise<{ found: Found; takings: readonly Taking[] }> {
  return stopping(async (keep) => {
    const database = await keep(startDatabase())
    const loader = await keep(startStressLoader())
    const start = () => keep(startReplica({ store: database.url }))
    const stage: Stage = { database, loader, extent, start }
    const maker = await start()
    const [making, tenants] = await made(stage, maker)
    await loader.use(tenants)
    const down = await putDown(stage, maker)
    const next = await start()
    const up = await takenUp(stage, next)
    const life = await busy(stage, next)
    await next.close()
    await next.stop()
    const [perKey, takings] = await withKeys(stage)
    return { found: { ...making, ...down, ...up, ...life, ...perKey, ...(await waiting(stage)) }, takings }
  })
}
