/**
 * A modification is one way in which a simulator differs from the plain one: a fault breaks the contract on
 * purpose, a variant is unusual and still keeps it. Any number can be switched on together; they apply in the
 * order given, each to what the one before it left.
 */
import {
  type ClauseId,
  type Interpretations,
  defaultInterpretations,
  gapIds,
  gaps,
} from '../../spec/index.ts'
import { type WireStyle, plainWire } from '../edge/wire.ts'
import type { Rules, Hooks, TenantState } from '../rules/tenant-state.ts'
import { rulesOf } from '../base-rules.ts'

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

export type RuleChange = NonNullable<Modification['rules']>

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

/** Throws on a gap or interpretation that does not exist. */
export function interpretationsOf(chosen: Partial<Interpretations>): Interpretations {
  for (const [gap, interpretation] of Object.entries(chosen)) {
    const row = gapIds.find((id) => id === gap)
    if (!row) throw new RangeError(`There is no gap ${JSON.stringify(gap)} to choose an interpretation for.`)
    if (!Object.hasOwn(gaps[row].interpretations, interpretation)) {
      const known = Object.keys(gaps[row].interpretations).join(', ')
      throw new RangeError(
        `${gap} has no interpretation ${JSON.stringify(interpretation)}; choose one of ${known}.`,
      )
    }
  }
  return { ...defaultInterpretations, ...chosen }
}

/** Each modification changes what the ones before it left; interpretations chosen outright win over theirs. */
export function applyModifications(
  state: TenantState,
  modifications: readonly Modification[],
  chosen: Partial<Interpretations> = {},
): void {
  const theirs = modifications.map(({ interpretations }) => interpretations ?? {})
  state.interpretations = interpretationsOf(Object.assign({}, ...theirs, chosen))
  state.rules = rulesOf(state.interpretations, state.identifiers)
  for (const modification of modifications)
    Object.assign(state.rules, modification.rules?.({ ...state.rules }, state))
  const wires = modifications.flatMap(({ wire }) => wire ?? [])
  state.wire = wires.length === 0 ? plainWire : Object.assign({}, plainWire, ...wires)
  state.hooks = modifications
    .flatMap((modification) => [modification, modification.remember?.(state) ?? {}])
    .filter(isHook)
}

function isHook(hooks: TenantHooks): boolean {
  return 'reply' in hooks || 'events' in hooks || 'bytes' in hooks || 'delivery' in hooks
}
