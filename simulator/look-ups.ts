/** What is meant by an id, a role or an API key. */
import type { Account } from './tenant/credits.ts'
import type { Agent, ApiKey } from './tenant/principals.ts'
import { withoutKeys } from './tenant/redacted.ts'
import type { TenantState } from './tenant/tenant-state.ts'

/** Finds what is meant by an id or by a role. */
export function lookUps(state: TenantState) {
  const { agents, accounts } = state
  const apiKeys = new Map([...state.apiKeys, ...state.older.apiKeys])
  const missing = (kind: string, given: string): never => {
    throw new RangeError(
      `There is no ${kind} ${JSON.stringify(withoutKeys(given))} in this tenant; give an id or a role.`,
    )
  }
  const apiKeyOf = (given: string): ApiKey | undefined =>
    apiKeys.get(state.rules.bearer(`Bearer ${given}`) ?? '') ??
    [...apiKeys.values()].find(({ name }) => name === given)
  return {
    apiKey: (given: string): ApiKey => apiKeyOf(given) ?? missing('API key', '(not shown)'),
    agent: (given: string): Agent =>
      agents.get(given) ?? [...agents.values()].find(({ name }) => name === given) ?? missing('agent', given),
    account: (given: string): Account =>
      accounts.get(given) ??
      accounts.get(apiKeyOf(given)?.account ?? '') ??
      [...accounts.values()].find(({ name }) => name === given) ??
      missing('account', given),
  }
}
