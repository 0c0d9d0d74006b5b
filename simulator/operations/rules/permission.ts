/** Who may run which operation, and for which agent. */
import type { Agent, ApiKey } from '../../tenant/principals.ts'
import type { Operation } from '../operation.ts'
import type { OperationPermission, OperationTenant } from './rules.ts'
import { refuseOperation, notFoundRefusal, type OperationRefusal } from '../refusal.ts'

export const operationPermissions = [
  {
    name: 'scope',
    objects: ({ scopes }, { id, scope }) =>
      scope === null || scopes.includes(scope)
        ? null
        : refuseOperation('FORBIDDEN', `The API key lacks the scope ${scope}, which ${id} needs.`),
  },
  {
    name: 'plan',
    objects: ({ account }, { id, plans }, _agent, { accounts }) => {
      const plan = accounts.get(account)?.plan ?? ''
      return plans === null || plans.includes(plan)
        ? null
        : refuseOperation(
            'PLAN_REQUIRED',
            `The plan ${plan} does not have ${id}; it needs ${plans.join(' or ')}.`,
          )
    },
  },
  {
    name: 'agent-of-account',
    objects: ({ account }, _operation, agent, state) =>
      agent === null || agent.accounts.includes(account) ? null : notFoundRefusal(state.rules, 'agent'),
  },
  {
    name: 'agent-scope',
    objects: (apiKey, _operation, agent) =>
      agent === null || apiKey.agent === null || apiKey.agent === agent.id
        ? null
        : refuseOperation('FORBIDDEN', 'The API key is restricted to another agent.'),
  },
  {
    name: 'agent-plan',
    objects: (_apiKey, _operation, agent) =>
      agent === null || agent.allowed
        ? null
        : refuseOperation('FORBIDDEN', 'The plan does not allow this agent.'),
  },
] as const satisfies readonly OperationPermission[]

/** The first objection, or null. */
export function objection(
  state: OperationTenant,
  apiKey: ApiKey,
  operation: Operation,
  agent: Agent | null,
): OperationRefusal | null {
  for (const permission of state.rules.operationPermissions) {
    const refusal = permission.objects(apiKey, operation, agent, state)
    if (refusal) return refusal
  }
  return null
}
