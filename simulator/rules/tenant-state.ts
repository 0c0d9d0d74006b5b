/** One isolated tenant: its data, and the rules by which it answers. */
import type { Interpretations } from '../../spec/index.ts'
import type { Hooks } from './hooks.ts'
import type { Rules } from './rules.ts'
import type { WireStyle } from '../edge/wire.ts'
import type { TenantData } from '../tenant/tenant-data.ts'

/** Names of faults and variants: plain strings, because the tables that they are keys of depend on this state. */
export interface ModificationNames {
  faults?: readonly string[]
  variants?: readonly string[]
  interpretations?: Partial<Interpretations>
}

export interface TenantState extends TenantData {
  interpretations: Interpretations
  rules: Rules
  wire: WireStyle
  hooks: readonly Hooks<TenantState>[]
  /** What is turned on of the faults, variants and interpretations, by name. */
  readonly modifications: Readonly<Required<ModificationNames>>
  /** Replaces them; what is not given goes back to the default. Throws on an unknown name, and then changes nothing. */
  deviate(chosen: ModificationNames): void
}
