/** Reading the task or the approval that a receipt led to. */
import { operationRefusalReply } from './reply.ts'
import type { Call } from '../../server/call.ts'
import { jsonReply, type ReplyInfo, type Reply } from '../../server/reply.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { aboutVisit, enterOperations } from './enter.ts'
import { isOperationRefusal, notFoundRefusal } from '../refusal.ts'
import { noteRead } from '../tasks.ts'

export function taskReply(state: TenantState, call: Call): Reply {
  const id = call.params['taskId'] ?? ''
  const named: ReplyInfo = { operation: 'task', task: id }
  const visit = enterOperations(state, call)
  if (isOperationRefusal(visit)) return operationRefusalReply(state, visit, named)
  const task = state.rules.findTask(id, visit.apiKey, call, state)
  const about = aboutVisit(visit, named)
  if (!task) return operationRefusalReply(state, notFoundRefusal(state.rules, 'task'), about)
  const body = state.rules.taskBody(task, state.rules)
  noteRead(state, task)
  return jsonReply(200, body, { ...about, operationId: task.operation })
}

export function approvalReply(state: TenantState, call: Call): Reply {
  const id = call.params['approvalId'] ?? ''
  const named: ReplyInfo = { operation: 'approval', approval: id }
  const visit = enterOperations(state, call)
  if (isOperationRefusal(visit)) return operationRefusalReply(state, visit, named)
  const approval = state.rules.findApproval(id, visit.apiKey, call, state)
  const about = aboutVisit(visit, named)
  if (!approval) return operationRefusalReply(state, notFoundRefusal(state.rules, 'approval'), about)
  return jsonReply(200, state.rules.approvalBody(approval, state), {
    ...about,
    operationId: approval.operation.id,
  })
}
