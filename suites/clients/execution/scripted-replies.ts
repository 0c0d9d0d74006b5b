/**
 * Fixed responses in place of those of the simulator. They accept any request where the contract does not show its
 * form, such as the envelope of an execution, and contain unspecified members under every likely name.
 */
import type { Json } from '../../wire/exchange.ts'
import type { NetworkFault } from '../../../spec/types/control.ts'

type RequestFilter = NonNullable<NetworkFault['on']>

export const routes = {
  anyRead: { method: 'GET', path: '/' },
  chat: { method: 'POST', path: '/api/v1/chat/' },
  discovery: { method: 'GET', path: '/api/v1/operations' },
  execution: { method: 'POST', path: '/api/v1/operation-executions/' },
  task: { method: 'GET', path: '/api/v1/tasks/' },
  approval: { method: 'GET', path: '/api/v1/approvals/' },
} as const satisfies Readonly<Record<string, RequestFilter>>

/** More requests than any step sends. */
const unlimited = 1_000

/** Each body once, in this order, then the last one. If two scripts match a request, the first applies. */
export function script(where: RequestFilter, bodies: readonly Json[], status = 200): readonly NetworkFault[] {
  const last = bodies.length - 1
  return bodies.map((body, nth) => ({
    on: where,
    after: nth,
    times: nth === last ? unlimited : 1,
    do: {
      is: 'answer',
      status,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    },
  }))
}

/** Cuts the connection of the first `times` matching requests. */
export function cutAt(where: RequestFilter, when: 'before' | 'after', times = 1): NetworkFault {
  return { on: where, times, do: { is: 'cut', when } }
}

export const completedReceipt = (data: Json): Json => ({ status: 'completed', data })
export const failureReceipt = (code: string, resolution: string): Json => ({
  status: 'failed',
  error: { code, resolution },
})

export const [taskId, approvalId] = ['task_4f2a9c71d0', 'appr_81c3e6b54a']

export const acceptedReceipt: Json = { status: 'accepted', task_id: taskId, taskId, task: { id: taskId } }
export const pendingReceipt: Json = {
  status: 'pending_approval',
  approval_id: approvalId,
  approvalId,
  approval: { id: approvalId },
}

/** Reads of a task return these states in order. */
export function taskThrough(...states: readonly string[]): readonly NetworkFault[] {
  return script(
    routes.task,
    states.map((state) => ({ id: taskId, task_id: taskId, taskId, state })),
  )
}

/** The only operation id in the contract, so every client knows it. */
export const inspectOperation = 'agent_setup.inspect'

/** The service holds an execution for the owner, and the approval stays pending. */
export const heldForApproval = [
  ...script(routes.execution, [pendingReceipt]),
  ...script(routes.approval, [{ id: approvalId, state: 'pending', status: 'pending_approval' }]),
]
