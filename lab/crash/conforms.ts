/** The suites against replicas that have been through something. */
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { createSimulator } from '../../simulator/index.ts'
import type { Target } from '../../suites/index.ts'
import { runServerUnredacted } from '../../suites/runner/drivers/server.ts'
import { troubles } from '../../test/simulated-run.ts'
import { seed, targets } from './tenant.ts'

/** What is wrong. What a target file says follows from the seed, as keys and ids do. */
export async function conforms(
  urls: readonly string[],
  profile: Target['profile'] = 'standard',
): Promise<readonly string[]> {
  await using shadow = await createSimulator({ seed, targets })
  const [baseUrl = '', ...replicas] = urls
  const target = simulatorTarget({ ...shadow, tenant: shadow.tenant, url: baseUrl, replicas })
  return troubles(await runServerUnredacted({ ...target, profile }, { seed: 1 }))
}
