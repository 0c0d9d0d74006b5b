/** Who may call which agent. */
import type { AccessRules } from '../rules.ts'
import type { Agent, ApiKey } from '../tenant/principals.ts'
import type { RefusalCode } from './refusal.ts'

/** One condition; `agent` is undefined when there is none with that id. Null: it has no objection. */
export interface PermissionRule {
  readonly name: string
  objects(apiKey: ApiKey, agent: Agent | undefined, rules: AccessRules): RefusalCode | null
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
