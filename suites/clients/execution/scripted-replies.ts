/**
 * Answers that a stage gives in place of the service. Whatever the contract does not show of a request, such as the
 * envelope of an execution, is then right, and whatever it does not show of an answer stands there under every name.
 */
import type { Json } from '../../wire/json.ts'
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

/** More requests than any act has. */
const unlimited = 1_000

/** Each body once and in this order, the last one ever after. Of two scripts for one request the first is followed. */
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

/** The connection breaks at the first request of this kind, once; where the line is down, at each of them. */
export function cutAt(where: RequestFilter, when: 'before' | 'after', times = 1): NetworkFault {
  return { on: where, times, do: { is: 'cut', when } }
}

export const completedReceipt = (data: Json): Json => ({ status: 'completed', data })
export const failureReceipt = (code: string, resolution: string): Json => ({
  status: 'failed',
  error: { code, resolution },
})

/** Ids of what a scripted receipt leads to. */
export const [taskId, approvalId] = ['task_4f2a9c71d0', 'appr_81c3e6b54a']

export const acceptedReceipt: Json = { status: 'accepted', task_id: taskId, taskId, task: { id: taskId } }
export const pendingReceipt: Json = {
  status: 'pending_approval',
  approval_id: approvalId,
  approvalId,
  approval: { id: approvalId },
}

/** A task as it is read in one state after the other. */
export function taskThrough(...states: readonly string[]): readonly NetworkFault[] {
  return script(
    routes.task,
    states.map((state) => ({ id: taskId, task_id: taskId, taskId, state })),
  )
}

/** The only id that the contract names: whatever a client was built with, it knows this one. */
export const inspectOperation = 'agent_setup.inspect'
