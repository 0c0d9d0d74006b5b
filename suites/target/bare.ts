import { emptyPolicy } from '../policy/policy.ts'
import { undeclared } from './defaults.ts'
import type { Target } from './target.ts'

export interface BareTarget {
  baseUrl: string
  apiKey: string
  /** Id of an agent that answers any message. */
  agent: string
}

/**
 * A target of which nothing is known but an address, a key and an agent. What needs more is not exercised, and
 * that alone does not fail the gate; the answer on conformance is then at best partial.
 */
export function bareTarget({ baseUrl, apiKey, agent }: BareTarget): Target {
  const url = baseUrl.replace(/\/+$/, '')
  return {
    ...undeclared,
    name: URL.canParse(url) ? new URL(url).host : url,
    kind: 'staging',
    baseUrl: url,
    principals: [
      { name: 'main', bearer: apiKey, scopes: ['chat'], agents: '*', account: 'main', sacrificial: false },
    ],
    agents: { plain: agent },
    policy: {
      ...emptyPolicy,
      expectedNotExercised: [{ pattern: '*', reason: 'nothing else is known of it' }],
    },
  }
}
