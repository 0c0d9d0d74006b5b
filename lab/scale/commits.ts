/** Throughput of one replica over PostgreSQL, by number of clients and tenants: the effect of grouped commits. */
import { withAutoStop } from '../../bench/processes/auto-stop.ts'
import { startDatabase } from './processes/database.ts'
import type { Extent } from './extent.ts'
import { startStressLoader, type Stressed } from './processes/loader.ts'
import { startReplica } from './processes/replica.ts'
import { perItem, measureUse, type TimedUse } from './processes/resource-use.ts'

export interface Throughput {
  readonly clients: number
  readonly tenants: number
  readonly replicas: number
  /** Round robin, or all requests of a tenant to the same replica. */
  readonly balanced: 'in turn' | 'by key'
  readonly turnsPerSecond: number
  readonly turnsPerCommit: number
  /** In ms. */
  readonly p50: number
  readonly p99: number
  /** Processor time of a turn, in microseconds. */
  readonly replica: number
  readonly server: number
}

const cases = [
  { clients: 1, tenants: 100 },
  { clients: 10, tenants: 100 },
  { clients: 100, tenants: 100 },
  { clients: 10, tenants: 1 },
  { clients: 10, tenants: 1_000 },
] as const

export function commits({ loadMs }: Extent): Promise<readonly Throughput[]> {
  return withAutoStop(async (autoStop) => {
    const database = await autoStop(startDatabase())
    const loader = await autoStop(startStressLoader())
    const replica = await autoStop(startReplica({ store: database.url }))
    const made = await replica.make(Math.max(...cases.map(({ tenants }) => tenants)))
    const found: Throughput[] = []
    for (const { clients, tenants } of cases) {
      await loader.use(made.slice(0, tenants))
      const load = { ports: [replica.port], connections: clients }
      await loader.stress({ ...load, until: { ms: loadMs } })
      const spent = await measureUse([replica], database, () =>
        loader.stress({ ...load, until: { ms: loadMs } }),
      )
      found.push({ clients, tenants, replicas: 1, balanced: 'by key', ...throughputOf(spent) })
    }
    return found
  })
}

export function throughputOf(
  spent: TimedUse & { result: Stressed },
): Omit<Throughput, 'clients' | 'tenants' | 'replicas' | 'balanced'> {
  const { turns, ms: took, latency } = spent.result
  const { replica, server } = perItem(spent, turns)
  return {
    turnsPerSecond: (1_000 * turns) / took,
    turnsPerCommit: turns / spent.commits,
    p50: latency.p50,
    p99: latency.p99,
    replica,
    server,
  }
}
