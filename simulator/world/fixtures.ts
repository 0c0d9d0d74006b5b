/** What every world starts with. */
import type { Scope } from '../../spec/index.ts'

const everything = ['chat', 'read_agents', 'billing_read', 'knowledge.write', 'agent_design_read'] as const

/** Accounts by role; credits they start with. */
export const accountFixtures = {
  main: { credits: 1_000_000 },
  broke: { credits: 0 },
  other: { credits: 1_000_000 },
} as const
export type AccountRole = keyof typeof accountFixtures

interface KeyFixture {
  account: AccountRole
  scopes: readonly Scope[]
  /** Role of the only agent it may call. */
  agent?: string
}

/** API keys by role. */
export const keyFixtures = {
  main: { account: 'main', scopes: everything },
  second: { account: 'main', scopes: everything },
  noChat: { account: 'main', scopes: everything.filter((scope) => scope !== 'chat') },
  noBilling: { account: 'main', scopes: ['chat'] },
  oneAgent: { account: 'main', scopes: everything, agent: 'second' },
  sacrificial: { account: 'main', scopes: everything },
  broke: { account: 'broke', scopes: everything },
  other: { account: 'other', scopes: everything },
} as const satisfies Record<string, KeyFixture>
export type KeyRole = keyof typeof keyFixtures

interface AgentFixture {
  accounts: readonly AccountRole[]
  paused?: true
  /** The plan does not allow it. */
  forbidden?: true
}

/** Agents by role. The account without credits reaches the same ones, so that it meets 402 and not 404. */
export const agentFixtures = {
  plain: { accounts: ['main', 'broke'] },
  second: { accounts: ['main', 'broke'] },
  workflow: { accounts: ['main', 'broke'] },
  tools: { accounts: ['main', 'broke'] },
  gate: { accounts: ['main', 'broke'] },
  failing: { accounts: ['main', 'broke'] },
  slow: { accounts: ['main', 'broke'] },
  paused: { accounts: ['main', 'broke'], paused: true },
  forbidden: { accounts: ['main', 'broke'], forbidden: true },
  foreign: { accounts: ['other'] },
} as const satisfies Record<string, AgentFixture>
export type AgentRole = keyof typeof agentFixtures
