/** Situations: prepared states of a tenant, by name. The same seed prepares the same situation. */
import type { Tenant } from '../tenant.ts'
import { buttonSituations } from './buttons.ts'
import type { SituationTable } from './definition.ts'
import { failureSituations } from './failures.ts'
import { limitSituations } from './limits.ts'
import { operationSituations } from './operations.ts'
import type { PreparedSituations, SituationName, SituationOptions } from './prepared.ts'
import { refusalSituations } from './refusals.ts'
import { turnSituations } from './turns.ts'
import { uploadSituations } from './uploads.ts'
import { webhookSituations } from './webhooks.ts'

/** In the order of the list. */
export const situations: SituationTable = {
  ...turnSituations,
  ...buttonSituations,
  ...limitSituations,
  ...refusalSituations,
  ...failureSituations,
  ...operationSituations,
  ...uploadSituations,
  ...webhookSituations,
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
