/** Situations by name: each brings a tenant into a state on purpose, in no time, and the same way each time. */
import type { Tenant } from '../tenant.ts'
import { buttonScenes } from './buttons.ts'
import type { ArrangeOptions, Casts, ScenarioName } from './cast.ts'
import { limitScenes } from './limits.ts'
import { operationScenes } from './operations.ts'
import type { Scenes } from './scene.ts'
import { turnScenes } from './turns.ts'
import { webhookScenes } from './webhooks.ts'

/** The shortest first. */
export const scenes: Scenes = {
  'tool-and-gate': turnScenes['tool-and-gate'],
  'expired-button': buttonScenes['expired-button'],
  'rate-limit': limitScenes['rate-limit'],
  'credits-running-out': limitScenes['credits-running-out'],
  'uncertain-outcome': turnScenes['uncertain-outcome'],
  'slow-turn': turnScenes['slow-turn'],
  'paused-conversation': buttonScenes['paused-conversation'],
  'import-task': operationScenes['import-task'],
  approval: operationScenes.approval,
  'webhook-retry': webhookScenes['webhook-retry'],
}

export const scenarioNames: readonly ScenarioName[] = Object.keys(scenes) as ScenarioName[]

export const isScenarioName = (name: string): name is ScenarioName => Object.hasOwn(scenes, name)

/** Throws a RangeError where there is no such scenario, or the tenant as it is refuses what has to happen first. */
export async function arrange<N extends ScenarioName>(
  tenant: Tenant,
  name: N,
  options: ArrangeOptions = {},
): Promise<Casts[N]> {
  if (!isScenarioName(name))
    throw new RangeError(
      `There is no scenario ${JSON.stringify(name)}; there are: ${scenarioNames.join(', ')}.`,
    )
  return scenes[name].set(tenant, options)
}
