/**
 * Several replicas over one PostgreSQL, and clients that know nothing of owners: each replica has its share of the
 * tenants, and what comes to another one is passed on.
 */
import { stopping } from '../stopping.ts'
import { throughputOf, type Throughput } from './commits.ts'
import { startDatabase } from './database.ts'
import type { Extent } from './extent.ts'
import { startStressLoader } from './loader.ts'
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
      // Whoever makes a tenant plays it.
      const made = []
      for (const replica of running) made.push(await replica.make(tenants / replicas))
      await loader.use(made.flat())
      const load = { ports: running.map(({ port }) => port), connections: clients }
      await loader.stress({ ...load, until: { ms: loadMs } })
      const spent = await spending(running, database, () => loader.stress({ ...load, until: { ms: loadMs } }))
      found.push({ clients, tenants, replicas, ...throughputOf(spent) })
      for (const replica of running) await replica.close()
      for (const replica of running) await replica.stop()
    }
    return found
  })
}
