/** One replica over a store, as a process of its own that is meant to be killed. */
import { createSimulator } from '../../simulator/index.ts'
import { openStore } from '../../simulator/store/open.ts'
import { replyRule, seed, targets } from './tenant.ts'

const [storeUrl = 'memory:', port = '0', leaseMs = '1000', load = 'loaded'] = process.argv.slice(2)
const simulator = await createSimulator({
  seed,
  port: Number(port),
  store: await openStore(storeUrl),
  replica: { leaseMs: Number(leaseMs) },
  unlimited: load === 'loaded',
  control: true,
  replyRules: [replyRule],
  targets: { ...targets, allow: ['127.0.0.1'] },
})
process.once('SIGTERM', () => void simulator.close().then(() => process.exit(0)))
process.send?.({ url: simulator.url, port: simulator.port })
