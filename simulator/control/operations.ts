/** Routes for what the owner of a project does to its operations. */
import { type Task, type Approval } from '../operations/store.ts'
import type { Call } from '../server/call.ts'
import type { JsonObject } from '../json.ts'
import type { Book } from '../tenant/book.ts'
import { approvalState } from '../operations/approvals.ts'
import type { Tenant } from '../tenant.ts'
import { ok, refusing, type ControlResponse } from './answer.ts'
import { ControlRefusal } from './refusal.ts'
import { validBody } from './request.ts'

function shownApproval({ state: tenantState }: Tenant, approval: Approval): JsonObject {
  const { id, account, operation, askedAt } = approval
  const state = approvalState(tenantState, approval)
  return { id, account, operation: operation.id, state, askedAt: new Date(askedAt).toISOString() }
}

const shownTask = ({ id, account, operation, state }: Task): JsonObject => ({ id, account, operation, state })

function known<T>(map: Pick<Book<T>, 'get'>, kind: string, id: string): T {
  const value = map.get(id)
  if (value !== undefined) return value
  throw new ControlRefusal(404, `There is no ${kind} \`${id}\` in this tenant; its receipt names it.`)
}

export const listApprovals = (tenant: Tenant): ControlResponse =>
  ok({ approvals: tenant.approvals().map((approval) => shownApproval(tenant, approval)) })

export function decideApproval(tenant: Tenant, call: Call): ControlResponse {
  const { decision } = validBody(call, 'DecisionRequest')
  const approval = known(tenant.state.operations.approvals, 'approval', call.params['approvalId'] ?? '')
  refusing(409, () => tenant.decide(approval.id, decision))
  return ok(shownApproval(tenant, approval))
}

export const listTasks = (tenant: Tenant): ControlResponse => ok({ tasks: tenant.tasks().map(shownTask) })

export function stepTaskRoute(tenant: Tenant, call: Call): ControlResponse {
  const { step } = validBody(call, 'TaskStepRequest')
  const task = known(tenant.state.operations.tasks, 'task', call.params['taskId'] ?? '')
  refusing(409, () => tenant.stepTask(task.id, step))
  return ok(shownTask(task))
}

export function lapseUploadRoute(tenant: Tenant, call: Call): ControlResponse {
  const { idempotencyKey: key, principal: apiKey = 'main' } = validBody(call, 'LapseRequest')
  refusing(409, () => tenant.lapseUpload({ key, apiKey }))
  return ok({ lapsed: key })
}
