/**
 * A modification is one way in which a simulator differs from the plain one: a fault breaks the contract on
 * purpose, a variant is unusual and still keeps it. Any number can be switched on together; they apply in the
 * order given, each to what the one before it left.
 */
import type { ClauseId, Interpretations } from '../../spec/index.ts'
import type { WireStyle } from '../server/wire.ts'
import type { Rules } from '../rules.ts'
import type { Hooks } from './hooks.ts'
import type { TenantState } from '../tenant/tenant-state.ts'

export type TenantHooks = Hooks<TenantState>

export interface Modification extends TenantHooks {
  title: string
  interpretations?: Partial<Interpretations>
  /** Other entries for the rules. Called once per tenant, so that a closure may keep something in mind. */
  rules?(rules: Rules, state: TenantState): Partial<Rules>
  wire?: Partial<WireStyle>
  /** Hooks that keep something in mind: called once per tenant. */
  remember?(state: TenantState): TenantHooks
}

/** Breaks the clauses it names. */
export interface Fault extends Modification {
  readonly kind: 'fault'
  breaks: readonly ClauseId[]
  /**
   * It shows only now and then: in the exhaustive profile, which looks often enough, what it breaks is seen, and now
   * and then what stands here is seen too.
   */
  chance?: readonly ClauseId[]
  /** Observable only with this many servers, which are then started. */
  replicas?: number
  /** It shows only on a machine that has such an address. */
  machine?: 'private-address' | 'public-address'
}

/** Conforms all the same; `allowed` says by what. */
export interface Variant extends Modification {
  readonly kind: 'variant'
  allowed: string
  /** Exactly these clauses are warned of: what is done is not ruled out, and is not advisable either. */
  warns?: readonly ClauseId[]
}

export function fault(row: Omit<Fault, 'kind'>): Fault {
  return { kind: 'fault', ...row }
}

export function variant(row: Omit<Variant, 'kind'>): Variant {
  return { kind: 'variant', ...row }
}
