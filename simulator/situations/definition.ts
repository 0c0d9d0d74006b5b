/** One row of the table of situations. */
import type { Tenant } from '../tenant.ts'
import type { PreparedSituations, SituationName, SituationOptions } from './prepared.ts'

export interface SituationDefinition<N extends SituationName> {
  readonly title: string
  /** What a client can learn from it. */
  readonly shows: string
  /** Puts the tenant into the situation, and returns what a client needs in it. */
  set(tenant: Tenant, options: SituationOptions): PreparedSituations[N] | Promise<PreparedSituations[N]>
}

export type SituationTable = { readonly [N in SituationName]: SituationDefinition<N> }
