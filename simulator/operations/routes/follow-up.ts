/** Reading the task or the approval that a receipt led to. */
import { refusalReply } from './reply.ts'
import type { Call } from '../../server/call.ts'
import { json, type About, type Reply } from '../../server/reply.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { aboutVisit, enter } from './enter.ts'
import { isRefusal, unknown } from '../refusal.ts'
import { noteRead } from '../tasks.ts'

export function readTask(state: TenantState, call: Call): Reply {
  const id = call.params['taskId'] ?? ''
  const named: About = { operation: 'task', task: id }
  const visit = enter(state, call)
  if (isRefusal(visit)) return refusalReply(state, visit, named)
  const task = state.rules.findTask(id, visit.apiKey, call, state)
  const about = aboutVisit(visit, named)
  if (!task) return refusalReply(state, unknown(state.rules, 'task'), about)
  const body = state.rules.taskBody(task, state.rules)
  noteRead(state, task)
  return json(200, body, { ...about, operationId: task.operation })
}

export function readApproval(state: TenantState, call: Call): Reply {
  const id = call.params['approvalId'] ?? ''
  const named: About = { operation: 'approval', approval: id }
  const visit = enter(state, call)
  if (isRefusal(visit)) return refusalReply(state, visit, named)
  const approval = state.rules.findApproval(id, visit.apiKey, call, state)
  const about = aboutVisit(visit, named)
  if (!approval) return refusalReply(state, unknown(state.rules, 'approval'), about)
  return json(200, state.rules.approvalBody(approval, state), {
    ...about,
    operationId: approval.operation.id,
  })
}
