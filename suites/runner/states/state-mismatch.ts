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
  const notFound = by === 'fixture' && isNotFound([...held, ...probes])
  const refuted = by === 'wire' ? null : notFound ? noAgent : contradicts(held, probes)
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

const noAgent =
  'every chat request was answered 404 (agent not found); check the agent and the principal of that fixture'

const isChat = ({ request }: Exchange): boolean => request.path.startsWith('/api/v1/chat/')

/** What a fixture names is not there, or not for its key: nothing shows how the target behaves in the state. */
function isNotFound(sent: readonly Exchange[]): boolean {
  const turns = sent.filter((one) => !one.inbound && isChat(one))
  return turns.length > 0 && turns.every(({ response }) => response?.status === 404)
}
