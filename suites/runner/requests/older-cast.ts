/** The keys of the older chat variant that a scenario is run with, or why it cannot be run. */
import type { OlderKey, Principal, Target } from '../../config/target.ts'
import { notExercised, type ScenarioEnded } from '../../scenario/ending.ts'
import type { Needs, OlderRole } from '../../scenario/scenario.ts'

type OlderCast = Readonly<Partial<Record<OlderRole, Principal>>>

/** Nothing is known of the variant but what is declared: without a key it is not asked for. */
export function olderCast({ older }: Needs, { features, legacy, agents }: Target): OlderCast | ScenarioEnded {
  if (older === undefined) return {}
  if (features.legacy !== 'supported')
    return notExercised(
      'feature-unsupported',
      'the target file does not declare `features.legacy: supported`',
    )
  const own = legacy?.keys.find(({ agent }) => agent === agents.plain)
  if (!own)
    return notExercised('principal-missing', 'no key of the older variant; declare `legacy.keys.plain`')
  const another = legacy?.keys.find(({ agent }) => agent !== agents.plain)
  if (older === 'two-keys' && !another)
    return notExercised(
      'principal-missing',
      'no second key of the older variant; declare one for another agent',
    )
  return {
    older: principalOf(own, older === 'limited'),
    ...(another ? { otherOlder: principalOf(another, false) } : {}),
  }
}

/** A key that may be limited is not held under the rate of the run. */
function principalOf({ name, agent, bearer }: OlderKey, sacrificial: boolean): Principal {
  return {
    name: `older-${name}`,
    bearer,
    scopes: ['chat'],
    agents: [agent],
    account: `older-${name}`,
    sacrificial,
  }
}
