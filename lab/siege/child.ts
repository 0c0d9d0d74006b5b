/** One replica over a store, as a process of its own that is meant to be killed. */
import { createSimulator } from '../../simulator/index.ts'
import { SeedTaken } from '../../simulator/tenant-host.ts'
import { openStore } from '../../simulator/store/open.ts'
import { controlToken, honestSeed, hostileSeeds, tenantOptions } from './tenants.ts'

const [storeUrl = 'memory:', port = '0', leaseMs = '1000'] = process.argv.slice(2)
const simulator = await createSimulator({
  ...tenantOptions,
  seed: honestSeed,
  port: Number(port),
  store: await openStore(storeUrl),
  replica: { leaseMs: Number(leaseMs) },
  controlToken,
  targets: { allow: ['127.0.0.1'] },
  // Defects of the simulator; a line for each request would be too much.
  log: (line) => void (line.startsWith('error:') && process.stderr.write(`${line}\n`)),
})
for (const seed of hostileSeeds)
  await simulator
    .addTenant({ ...tenantOptions, seed, targets: { allow: ['127.0.0.1'] } })
    .catch((error: unknown) => {
      if (!(error instanceof SeedTaken)) throw error
    })
process.once('SIGTERM', () => void simulator.close().then(() => process.exit(0)))
// Its parent is gone.
process.once('disconnect', () => process.exit(0))
process.send?.({ url: simulator.url, port: simulator.port })
