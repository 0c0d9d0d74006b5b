import { emptyPolicy } from '../policy/policy.ts'
import type { Identifiers } from '../../spec/identifiers.ts'
import { undeclared } from './defaults.ts'
import { vendorStated } from './sections/service.ts'
import type { Target } from './target.ts'

export interface BareTarget {
  baseUrl: string
  apiKey: string
  /** Where the key comes from, as `env:NAME` or `file:PATH`. */
  apiKeySource?: string
  agent: string
  vendor?: string
  /** Identifiers that do not follow from the word. */
  identifiers?: Partial<Identifiers>
}

/**
 * A target of which nothing is known but an address, a key and an agent. What needs more is not exercised, and
 * that alone does not fail the gate; the answer on conformance is then at best partial. Throws an IdentifierError.
 */
export function bareTarget(bare: BareTarget): Target {
  const { baseUrl, apiKey, apiKeySource: source, agent, vendor, identifiers } = bare
  const url = baseUrl.replace(/\/+$/, '')
  return {
    ...undeclared,
    name: URL.canParse(url) ? new URL(url).host : url,
    kind: 'staging',
    baseUrl: url,
    ...vendorStated(vendor, identifiers),
    principals: [
      {
        name: 'main',
        bearer: apiKey,
        ...(source === undefined ? {} : { source }),
        scopes: ['chat'],
        agents: '*',
        account: 'main',
        sacrificial: false,
      },
    ],
    agents: { plain: agent },
    policy: {
      ...emptyPolicy,
      expectedNotExercised: [{ pattern: '*', reason: 'nothing else is known of it' }],
    },
  }
}
