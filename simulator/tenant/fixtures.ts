/** What every tenant starts with. */
import type { ReplyRule } from './reply-rule.ts'
import type { Scope } from '../../spec/index.ts'

const everything = ['chat', 'read_agents', 'billing_read', 'knowledge.write', 'agent_design_read'] as const

/** Accounts by role; credits they start with. */
export const accountFixtures = {
  main: { credits: 1_000_000, plan: 'business' },
  broke: { credits: 0, plan: 'business' },
  other: { credits: 1_000_000, plan: 'enterprise' },
} as const
export type AccountRole = keyof typeof accountFixtures

export interface KeyFixture {
  account: AccountRole
  scopes: readonly Scope[]
  agent?: string
  revoked?: true
}

export const keyFixtures = {
  main: { account: 'main', scopes: everything },
  second: { account: 'main', scopes: everything },
  noChat: { account: 'main', scopes: everything.filter((scope) => scope !== 'chat') },
  noBilling: { account: 'main', scopes: ['chat'] },
  oneAgent: { account: 'main', scopes: everything, agent: 'second' },
  sacrificial: { account: 'main', scopes: everything },
  broke: { account: 'broke', scopes: everything },
  other: { account: 'other', scopes: everything },
  revoked: { account: 'main', scopes: everything, revoked: true },
} as const satisfies Record<string, KeyFixture>

/** Those of one scope at the most; `visitor`: for one agent, too. Their tokens are drawn apart, so that the others keep those of their seed. */
export const narrowKeyFixtures = {
  noScope: { account: 'main', scopes: [] },
  billingOnly: { account: 'main', scopes: ['billing_read'] },
  agentsOnly: { account: 'main', scopes: ['read_agents'] },
  uploadsOnly: { account: 'main', scopes: ['knowledge.write'] },
  designOnly: { account: 'main', scopes: ['agent_design_read'] },
  visitor: { account: 'main', scopes: ['chat'], agent: 'second' },
} as const satisfies Record<string, KeyFixture>
export type KeyRole = keyof typeof keyFixtures | keyof typeof narrowKeyFixtures

export const sessionFixtures = {
  main: { account: 'main' },
  other: { account: 'other' },
} as const satisfies Record<string, { account: AccountRole }>
export type SessionRole = keyof typeof sessionFixtures

interface AgentFixture {
  accounts: readonly AccountRole[]
  paused?: true
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

const shop = 'https://example.com/shop'
const menu = ['Show more', 'Change something', 'Talk to somebody']

/** What makes the plain agent say the word of the turn before. */
export const recallFixture = {
  tell: 'Please remember this word: {text}',
  ask: 'Which word did I ask you to remember?',
} as const

export const replyRuleFixtures: readonly ReplyRule[] = [
  {
    match: { agent: 'plain', message: recallFixture.ask },
    reply: { text: 'I found this among what you wrote: {before}' },
  },
  {
    match: { agent: 'workflow', pressed: 0 },
    reply: {
      text: 'Here is what we have. What would you like to do?',
      presentation: {
        messages: ['Here is what we have.', 'What would you like to do?'],
        buttons: menu,
        images: [`${shop}/catalogue.png`],
        media: [`${shop}/tour.mp4`],
      },
    },
  },
  {
    match: { agent: 'workflow', pressed: [1, 2, 3] },
    reply: {
      text: 'Good choice. And next?',
      presentation: { messages: ['Good choice.', 'And next?'], buttons: menu.slice(0, 2) },
    },
  },
  { match: { agent: 'workflow' }, reply: { text: 'That was the last step. Thank you.' } },
  {
    match: { agent: 'tools' },
    reply: {
      text: 'I looked it up: {message}',
      actions: [{ actionName: 'look_up' }, { actionName: 'convert_price', success: false }],
    },
  },
  {
    match: { agent: 'gate' },
    reply: {
      text: 'I cannot help with that.',
      gate: { decision: 'replace', reason: 'The reply touched a topic that is not allowed.' },
    },
  },
  {
    match: { agent: 'failing' },
    reply: {
      text: 'This reply breaks off here.',
      error: { afterTokens: 2, text: 'The model stopped answering.' },
    },
  },
  {
    match: { agent: 'slow' },
    reply: {
      text: 'Give me a moment while I think.',
      tokens: ['Give ', 'me ', 'a ', 'moment ', 'while ', 'I ', 'think.'],
      delayMs: 75,
      tokenDelayMs: 25,
    },
  },
  { match: {}, reply: { text: 'You said: {message}' } },
]
