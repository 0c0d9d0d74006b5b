/** The suites against replicas that have been through something. */
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { createSimulator } from '../../simulator/index.ts'
import { runSuite } from '../../suites/index.ts'
import { troubles } from '../simulated-run.ts'
import { seed } from './world.ts'

/** Throws with what is wrong. What a target file says follows from the seed, as keys and ids do. */
export async function conforms(urls: readonly string[]): Promise<void> {
  await using shadow = await createSimulator({ seed })
  const [baseUrl = '', ...replicas] = urls
  const target = simulatorTarget({ ...shadow, tenant: shadow.tenant, url: baseUrl, replicas })
  const run = await runSuite({ ...target, optIn: [] }, { seed: 1 })
  const found = troubles(run)
  if (found.length > 0) throw new Error(`It does not conform afterwards:\n${found.join('\n')}`)
}
