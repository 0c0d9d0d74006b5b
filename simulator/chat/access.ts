/** From a call to the API key behind it, which agents that key may call, and whether it may make one more request now. */
import type { ChatTenant, PermissionRule } from './rules.ts'
import { headerValues, type Call } from '../server/call.ts'
import type { ApiKey } from '../tenant/principals.ts'
import type { RateState } from '../tenant/rate.ts'
import { refuseChat, type ChatRefusal } from './refusal.ts'

/** `apiKeys`: those that count, by token. */
export function authenticate(
  state: ChatTenant,
  call: Call,
  apiKeys: ReadonlyMap<string, ApiKey> = state.apiKeys,
): ApiKey | ChatRefusal {
  const [authorization, second] = headerValues(call, 'authorization')
  if (authorization === undefined)
    return refuseChat('INVALID_API_KEY', 'Send an API key: Authorization: Bearer <key>.')
  if (second !== undefined)
    return refuseChat('INVALID_API_KEY', 'Send one Authorization header, not several.')
  const token = state.rules.bearer(authorization)
  const apiKey = token === null ? undefined : apiKeys.get(token)
  return apiKey && state.rules.isValid(apiKey) ? apiKey : refuseChat('INVALID_API_KEY')
}

export const permissions = [
  {
    name: 'chat-scope',
    objects: (apiKey) => (apiKey.scopes.includes('chat') ? null : 'MISSING_SCOPE'),
  },
  {
    name: 'agent-exists',
    objects: (_apiKey, agent) => (agent ? null : 'AGENT_NOT_FOUND'),
  },
  {
    name: 'agent-of-account',
    objects: (apiKey, agent, rules) =>
      !agent || agent.accounts.includes(apiKey.account) ? null : rules.foreignAgent,
  },
  {
    name: 'agent-scope',
    objects: (apiKey, agent) =>
      !agent || apiKey.agent === null || apiKey.agent === agent.id ? null : 'AGENT_OUT_OF_SCOPE',
  },
  {
    name: 'plan',
    objects: (_apiKey, agent) => (!agent || agent.allowed ? null : 'PLAN_RESTRICTED'),
  },
] as const satisfies readonly PermissionRule[]

/** Where nobody is known to be counted. */
export function uncounted({ rules, clock }: ChatTenant): RateState {
  const now = clock.now()
  return { limit: rules.rate.limit, remaining: rules.rate.limit, retryAfterMs: 0, resetAt: now, now }
}

/** Counts the request where every request counts; `refusal` when there is none left. */
export function admitTurn(
  tenantState: ChatTenant,
  apiKey: ApiKey,
): { state: RateState; refusal?: ChatRefusal } {
  const { rules, rates, clock } = tenantState
  const subject = rules.rateSubject(apiKey)
  const now = clock.now()
  const state = rates.look(subject, rules.rate, now)
  if (state.retryAfterMs > 0)
    return { state, refusal: refuseChat('RATE_LIMITED', undefined, rules.rateBody(state)) }
  return { state: rules.rateCounts === 'all' ? rates.spend(subject, rules.rate, now) : state }
}

/** Counts a request that reached a turn, where only those count. */
export function countTurn({ rules, rates, clock }: ChatTenant, apiKey: ApiKey): void {
  if (rules.rateCounts === 'turns') rates.spend(rules.rateSubject(apiKey), rules.rate, clock.now())
}
