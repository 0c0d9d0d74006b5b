/** What speaks against a state that its provider says holds. */
import type { StateId } from '../../../spec/index.ts'
import type { Provide } from '../../config/provided.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { stateProbes } from './probes-by-state.ts'
import type { StateMismatch } from '../../../reports/bundle/record.ts'

/** Null where the probe has nothing to say. The wire needs none: it is the suite that speaks. */
export function mismatchOf(
  state: StateId,
  by: Provide,
  held: readonly Exchange[],
  probes: readonly Exchange[] = [],
  place?: string,
): StateMismatch | null {
  const { contradicts, isTheClause = false } = stateProbes[state]
  const refuted = by === 'wire' ? null : contradicts(held, probes)
  if (refuted === null) return null
  const believed = isTheClause && by === 'control'
  const open = isTheClause && !believed ? '; fix that, or the target if it is in that state all the same' : ''
  return {
    because: `${claim(state, by)}${place === undefined ? '' : ` (${place})`}, but ${refuted}${open}`,
    exchanges: [...held, ...probes].map(({ id }) => id),
    believed,
  }
}

function claim(state: StateId, by: Provide): string {
  return by === 'fixture'
    ? `the target file declares ${state} by a fixture`
    : `the provider of ${state} (${by}) says that it holds`
}
