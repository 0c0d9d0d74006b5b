/** Who may call which agent. */
import type { PermissionRule } from './rules.ts'

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
