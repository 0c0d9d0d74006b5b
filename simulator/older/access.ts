/** From a call to the key behind it, and whether that key may make one more request now. */
import { headerValues, type Call } from '../server/call.ts'
import type { HeaderLine } from '../server/reply.ts'
import { uncounted } from '../chat/access.ts'
import type { ApiKey } from '../tenant/principals.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { refuseOlder, type OlderRefusal } from './refusal.ts'

/** Whom the headers speak of, and what they say of the rate in every answer. */
export interface OlderVisit {
  readonly headers: readonly HeaderLine[]
  readonly entered: ApiKey | OlderRefusal
}

function keyOf(state: TenantState, call: Call): ApiKey | null {
  const [authorization, second] = headerValues(call, 'authorization')
  if (authorization === undefined || second !== undefined) return null
  const apiKey = state.older.apiKeys.get(state.rules.bearer(authorization) ?? '')
  return apiKey && state.rules.isValid(apiKey) ? apiKey : null
}

/** Every request with a key counts: the older variant says nothing of requests that do not. */
export function enterOlder(state: TenantState, call: Call): OlderVisit {
  const { rules, rates, clock } = state
  const apiKey = keyOf(state, call)
  if (!apiKey)
    return { headers: rules.olderRateHeaders(uncounted(state)), entered: refuseOlder('invalid_key') }
  const now = clock.now()
  const before = rates.look(apiKey.token, rules.rate, now)
  if (rules.olderExceeded(before)) {
    const seconds = Math.ceil(before.retryAfterMs / 1000)
    const entered = refuseOlder('rate_limited', undefined, seconds)
    return { headers: rules.olderRateHeaders(before), entered }
  }
  const after = rates.spend(apiKey.token, rules.rate, now)
  return { headers: rules.olderRateHeaders(after), entered: apiKey }
}
