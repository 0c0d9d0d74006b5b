/** One replica over one PostgreSQL: what grouping makes of many clients, and of many tenants. */
import { stopping } from '../../bench/stopping.ts'
import { startDatabase } from './database.ts'
import type { Extent } from './extent.ts'
import { startStressLoader, type Stressed } from './loader.ts'
import { startReplica } from './replica.ts'
import { each, spending, type Cost } from './spend.ts'

/** At so many of these. */
export interface Throughput {
  readonly clients: number
  readonly tenants: number
  readonly replicas: number
  /** How requests came to replicas: dealt out in turn, or all of a tenant to the same one. */
  readonly balanced: 'in turn' | 'by key'
  readonly turnsPerSecond: number
  readonly turnsPerCommit: number
  /** In ms. */
  readonly p50: number
  readonly p99: number
  /** Microseconds of processor in one turn. */
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
  return stopping(async (keep) => {
    const database = await keep(startDatabase())
    const loader = await keep(startStressLoader())
    const replica = await keep(startReplica({ store: database.url }))
    const made = await replica.make(Math.max(...cases.map(({ tenants }) => tenants)))
    const found: Throughput[] = []
    for (const { clients, tenants } of cases) {
      await loader.use(made.slice(0, tenants))
      const load = { ports: [replica.port], connections: clients }
      await loader.stress({ ...load, until: { ms: loadMs } })
      const spent = await spending([replica], database, () =>
        loader.stress({ ...load, until: { ms: loadMs } }),
      )
      found.push({ clients, tenants, replicas: 1, balanced: 'by key', ...throughputOf(spent) })
    }
    return found
  })
}

export function throughputOf(
  spent: Cost & { result: Stressed },
): Omit<Throughput, 'clients' | 'tenants' | 'replicas' | 'balanced'> {
  const { turns, took, latency } = spent.result
  const { replica, server } = each(spent, turns)
  return {
    turnsPerSecond: (1_000 * turns) / took,
    turnsPerCommit: turns / spent.commits,
    p50: latency.p50,
    p99: latency.p99,
    replica,
    server,
  }
}
