/** One row of the table of named scenarios. */
import type { Tenant } from '../tenant.ts'
import type { ArrangeOptions, Casts, ScenarioName } from './cast.ts'

export interface Scene<N extends ScenarioName> {
  readonly title: string
  /** What a client can learn from it. */
  readonly shows: string
  /** Brings the tenant into the situation, and says what to send to meet it. */
  set(tenant: Tenant, options: ArrangeOptions): Casts[N] | Promise<Casts[N]>
}

export type Scenes = { readonly [N in ScenarioName]: Scene<N> }
