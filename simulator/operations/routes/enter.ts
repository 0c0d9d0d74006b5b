/** From a call to the API key behind it, on every route of operations. */
import type { Call, ReplyInfo } from '../../edge/reply.ts'
import type { ApiKey } from '../../tenant/principals.ts'
import type { TenantState } from '../../rules/tenant-state.ts'
import { refuseOperation, type OperationRefusal } from '../../edge/operation-refusal.ts'

/** A valid API key that may make one more request; `about` says whose it is. */
export interface OperationVisit {
  readonly state: TenantState
  readonly call: Call
  readonly apiKey: ApiKey
  readonly about: ReplyInfo
}

/** Only a plan that costs nothing is without the API; a trial has what a paid plan has. */
function planRefusal({ accounts }: TenantState, { account }: ApiKey): OperationRefusal | null {
  const plan = accounts.get(account)?.plan ?? ''
  return plan === 'free'
    ? refuseOperation('PLAN_REQUIRED', `The plan ${plan} has no API access; choose a paid plan.`)
    : null
}

export function enterOperations(
  state: TenantState,
  call: Call,
  about: ReplyInfo,
): OperationVisit | OperationRefusal {
  const { rules } = state
  const apiKey = rules.callerOf(call, state)
  if (!apiKey)
    return refuseOperation('INVALID_API_KEY', 'Send one valid API key: Authorization: Bearer <key>.')
  const refusal = overRate(state, apiKey) ?? planRefusal(state, apiKey)
  return refusal ?? { state, call, apiKey, about: { ...about, account: apiKey.account } }
}

/** Counted apart from chat, where these routes have a limit. */
function overRate({ rules, rates, clock }: TenantState, apiKey: ApiKey): OperationRefusal | null {
  if (rules.otherRates === 'none') return null
  const subject = `operations ${rules.rateSubject(apiKey)}`
  const state = rates.look(subject, rules.rate, clock.now())
  if (state.retryAfterMs === 0) {
    rates.spend(subject, rules.rate, clock.now())
    return null
  }
  return refuseOperation('RATE_LIMITED', 'Too many requests in this minute; wait before sending again.', {
    members: rules.rateBody(state),
    headers: rules.rateHeaders(state),
  })
}
