/** Situations: prepared states of a tenant, by name. The same seed prepares the same situation. */
import type { Tenant } from '../tenant.ts'
import { buttonSituations } from './buttons.ts'
import type { SituationTable } from './definition.ts'
import { limitSituations } from './limits.ts'
import { operationSituations } from './operations.ts'
import type { PreparedSituations, SituationName, SituationOptions } from './prepared.ts'
import { turnSituations } from './turns.ts'
import { webhookSituations } from './webhooks.ts'

export const situations: SituationTable = {
  'tool-and-gate': turnSituations['tool-and-gate'],
  'expired-button': buttonSituations['expired-button'],
  'rate-limit': limitSituations['rate-limit'],
  'credits-running-out': limitSituations['credits-running-out'],
  'uncertain-outcome': turnSituations['uncertain-outcome'],
  'slow-turn': turnSituations['slow-turn'],
  'paused-conversation': buttonSituations['paused-conversation'],
  'import-task': operationSituations['import-task'],
  approval: operationSituations.approval,
  'webhook-retry': webhookSituations['webhook-retry'],
}

export const situationNames: readonly SituationName[] = Object.keys(situations) as SituationName[]

export const isSituationName = (name: string): name is SituationName => Object.hasOwn(situations, name)

/** Throws a RangeError for an unknown situation, or if the tenant refuses a request of the setup. */
export async function prepareSituation<N extends SituationName>(
  tenant: Tenant,
  name: N,
  options: SituationOptions = {},
): Promise<PreparedSituations[N]> {
  if (!isSituationName(name))
    throw new RangeError(`unknown situation ${JSON.stringify(name)}; known: ${situationNames.join(', ')}`)
  return situations[name].set(tenant, options)
}
