/** Reading the task or the approval that a receipt led to. */
import type { Call } from '../http/call.ts'
import { json, type About, type Reply } from '../http/reply.ts'
import type { World } from '../world/world.ts'
import { aboutVisit, enter } from './enter.ts'
import { isRefusal, refusalReply, unknown } from './refusal.ts'
import { noteRead } from './tasks.ts'

export function readTask(world: World, call: Call): Reply {
  const id = call.params['taskId'] ?? ''
  const named: About = { operation: 'task', task: id }
  const visit = enter(world, call)
  if (isRefusal(visit)) return refusalReply(world, visit, named)
  const task = world.rules.findTask(id, visit.apiKey, call, world)
  const about = aboutVisit(visit, named)
  if (!task) return refusalReply(world, unknown(world, 'task'), about)
  const body = world.rules.taskBody(task, world.rules)
  noteRead(world, task)
  return json(200, body, { ...about, operationId: task.operation })
}

export function readApproval(world: World, call: Call): Reply {
  const id = call.params['approvalId'] ?? ''
  const named: About = { operation: 'approval', approval: id }
  const visit = enter(world, call)
  if (isRefusal(visit)) return refusalReply(world, visit, named)
  const approval = world.rules.findApproval(id, visit.apiKey, call, world)
  const about = aboutVisit(visit, named)
  if (!approval) return refusalReply(world, unknown(world, 'approval'), about)
  return json(200, world.rules.approvalBody(approval, world), {
    ...about,
    operationId: approval.operation.id,
  })
}
