/**
 * Several replicas over one PostgreSQL, each with its share of the tenants: behind a balancer that knows nothing of
 * owners, so that what comes to another replica is passed on, and behind one that chooses by the API key.
 */
import { stopping } from '../../bench/stopping.ts'
import { throughputOf, type Throughput } from './commits.ts'
import { startDatabase } from './database.ts'
import type { Extent } from './extent.ts'
import { startStressLoader } from './loader.ts'
import type { Access } from './replica-child.ts'
import { startReplica, type ScaledReplica } from './replica.ts'
import { spending } from './spend.ts'

const most = 3
const [tenants, clients] = [120, 30]

export function spread({ loadMs }: Extent): Promise<readonly Throughput[]> {
  return stopping(async (keep) => {
    const database = await keep(startDatabase())
    const loader = await keep(startStressLoader())
    const found: Throughput[] = []
    for (let replicas = 1; replicas <= most; replicas += 1) {
      const running: ScaledReplica[] = []
      while (running.length < replicas) running.push(await keep(startReplica({ store: database.url })))
      // Whoever makes a tenant runs it; neighbours are at home at different replicas.
      const made: (readonly Access[])[] = []
      for (const replica of running) made.push(await replica.make(tenants / replicas))
      await loader.use(
        Array.from({ length: tenants / replicas }, (_, at) => made.flatMap((of) => of[at] ?? [])).flat(),
      )
      for (const balanced of replicas === 1 ? (['by key'] as const) : (['in turn', 'by key'] as const)) {
        const ports = running.map(({ port }) => port)
        const load = { ports, connections: clients, byKey: balanced === 'by key', until: { ms: loadMs } }
        await loader.stress(load)
        const spent = await spending(running, database, () => loader.stress(load))
        found.push({ clients, tenants, replicas, balanced, ...throughputOf(spent) })
      }
      for (const replica of running) await replica.close()
      for (const replica of running) await replica.stop()
    }
    return found
  })
}
