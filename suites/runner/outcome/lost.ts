/** What a target lost: requests without a response, or with one that a gateway or an overloaded service sends. Pure. */
import type { StateId } from '../../../spec/index.ts'
import type { ScenarioExecution } from '../../scenario/execution.ts'
import type { AnyScenario } from '../../scenario/scenario.ts'
import type { Exchange, FailureKind } from '../../wire/exchange.ts'
import { isUnreadableHeader } from '../../wire/failure.ts'

const statuses: readonly number[] = [429, 502, 503, 504]
const failures: readonly FailureKind[] = ['refused', 'reset', 'timeout', 'protocol']

/** States in which the target is to respond like that. */
const expectedIn: readonly StateId[] = ['server.500', 'server.503', 'rate.limited', 'key.uncertain']

export function isLost({ response, failure, inbound, recurred }: Exchange): boolean {
  if (inbound || recurred) return false
  if (failure === null) return statuses.includes(response?.status ?? 0)
  return failures.includes(failure.kind) && !isUnreadableHeader(failure)
}

/** The ids of the requests that a scenario lost, and did not mean to lose. */
export function lostIn(
  { needs }: Pick<AnyScenario, 'needs'>,
  { exchanges, states }: Pick<ScenarioExecution, 'exchanges' | 'states'>,
): ReadonlySet<number> {
  const isMeant =
    needs?.principal?.kind === 'sacrificial' ||
    needs?.older === 'limited' ||
    states.some(({ state }) => expectedIn.includes(state))
  return new Set(isMeant ? [] : exchanges.filter(isLost).map(({ id }) => id))
}

export function isUnanswered({ exchanges }: Pick<ScenarioExecution, 'exchanges'>): boolean {
  const sent = exchanges.filter(({ inbound }) => !inbound)
  return sent.length > 0 && sent.every(isLost)
}

/** Since when nothing else came, in words. */
export function lossOf(journal: readonly Exchange[]): string {
  const sent = journal.filter(({ inbound, failure }) => !inbound && failure?.kind !== 'budget')
  const lost = sent.slice(sent.findLastIndex((exchange) => !isLost(exchange)) + 1)
  const last = lost.at(-1)
  const words = last?.failure ? `no response (${last.failure.message})` : `only ${last?.response?.status}`
  return `from exchange ${lost[0]?.id} on it sent ${words}`
}
