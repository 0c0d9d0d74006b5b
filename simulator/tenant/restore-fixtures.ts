/** Clears a tenant. */
import type { ReplyRule } from '../chat/reply-rule.ts'
import type { NetworkFault } from '../network-faults/network-fault.ts'
import { toCredits } from './credits.ts'
import { accountFixtures, agentFixtures, replyRuleFixtures, type AgentRole } from './fixtures.ts'
import type { TenantState } from './tenant-state.ts'

interface InitialBehaviour {
  readonly replyRules?: readonly ReplyRule[]
  readonly networkFaults?: readonly NetworkFault[]
}

/** Everything but ids, keys, clock and chance goes back to where it was at the start. */
export function restoreFixtures(
  state: TenantState,
  { replyRules = [], networkFaults = [] }: InitialBehaviour,
): void {
  state.outbox.clear()
  state.webhooks.clear()
  state.operations.clear()
  state.older.histories.clear()
  for (const book of [state.conversations, state.offers, state.keys, state.rates, state.journal]) book.clear()
  state.outages.splice(0)
  state.networkFaults.clear()
  state.networkFaults.add(networkFaults)
  state.replyRules.splice(0, Infinity, ...replyRules, ...replyRuleFixtures)
  for (const account of state.accounts.values()) {
    const { credits, plan } = accountFixtures[account.name as keyof typeof accountFixtures]
    Object.assign(account, { balance: toCredits(credits), plan })
  }
  for (const agent of state.agents.values()) {
    const fixture = agentFixtures[agent.name as AgentRole]
    agent.paused = 'paused' in fixture
    agent.allowed = !('forbidden' in fixture)
  }
}
