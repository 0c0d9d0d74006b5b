/**
 * Throughput of several replicas over one PostgreSQL: behind a round-robin balancer, where replicas forward requests to
 * the owners of tenants, and behind one that hashes the API key.
 */
import { withAutoStop } from '../../bench/processes/auto-stop.ts'
import { throughputOf, type Throughput } from './commits.ts'
import { startDatabase } from './processes/database.ts'
import type { Extent } from './extent.ts'
import { startStressLoader } from './processes/loader.ts'
import type { TenantAccess } from './processes/replica-child.ts'
import { startReplica, type ScaledReplica } from './processes/replica.ts'
import { measureUse } from './processes/resource-use.ts'

const most = 3
const [tenants, clients] = [120, 30]

export function spreadTurns({ loadMs }: Extent): Promise<readonly Throughput[]> {
  return withAutoStop(async (autoStop) => {
    const database = await autoStop(startDatabase())
    const loader = await autoStop(startStressLoader())
    const found: Throughput[] = []
    for (let replicas = 1; replicas <= most; replicas += 1) {
      const running: ScaledReplica[] = []
      while (running.length < replicas) running.push(await autoStop(startReplica({ store: database.url })))
      // The replica that creates a tenant owns it; consecutive tenants have different owners.
      const created: (readonly TenantAccess[])[] = []
      for (const replica of running) created.push(await replica.make(tenants / replicas))
      await loader.use(
        Array.from({ length: tenants / replicas }, (_, at) => created.flatMap((of) => of[at] ?? [])).flat(),
      )
      for (const balanced of replicas === 1 ? (['by key'] as const) : (['in turn', 'by key'] as const)) {
        const ports = running.map(({ port }) => port)
        const load = { ports, connections: clients, byKey: balanced === 'by key', until: { ms: loadMs } }
        await loader.stress(load)
        const spent = await measureUse(running, database, () => loader.stress(load))
        found.push({ clients, tenants, replicas, balanced, ...throughputOf(spent) })
      }
      for (const replica of running) await replica.close()
      for (const replica of running) await replica.stop()
    }
    return found
  })
}
