/** Every route of the service as the contract describes it. */
import { handleChat } from './chat/handler.ts'
import type { ServiceRoute } from './route.ts'
import { olderRoutes } from './older/older.ts'
import { webhookRoutes } from './webhooks/management/management.ts'
import {
  handleExecution,
  approvalReply,
  taskReply,
  operationRefusalReply,
} from './operations/routes/execute.ts'
import { ownRoutes } from './operations/routes/own-routes.ts'
import { uploadRoutes } from './operations/uploads/uploads.ts'
import { type Call, jsonReply, type ReplyInfo, type Reply } from './edge/reply.ts'
import type { TenantState } from './rules/tenant-state.ts'
import { enterOperations } from './operations/routes/enter.ts'
import { isOperationRefusal } from './edge/operation-refusal.ts'

const operationRoutes: readonly ServiceRoute[] = [
  { method: 'GET', path: '/api/v1/operations', handle: handleDiscovery },
  { method: 'POST', path: '/api/v1/operation-executions/:operationId', handle: handleExecution },
  { method: 'GET', path: '/api/v1/tasks/:taskId', handle: taskReply },
  { method: 'GET', path: '/api/v1/approvals/:approvalId', handle: approvalReply },
  ...ownRoutes,
  ...uploadRoutes,
]

function handleDiscovery(state: TenantState, call: Call): Reply {
  const about: ReplyInfo = { operation: 'discover' }
  const visit = enterOperations(state, call, about)
  if (isOperationRefusal(visit)) return operationRefusalReply(state, visit, about)
  const { rules } = state
  const listed = rules.catalogue.filter((operation) => rules.isListed(operation, visit.apiKey, state))
  const rows = listed.map((operation) => {
    const { route } = operation
    return {
      operation,
      schema: rules.shownSchema(operation, visit.apiKey, state),
      route: route?.isServed(rules) ? `${route.method} ${route.path}` : null,
    }
  })
  return jsonReply(200, rules.discovery(rows), visit.about)
}

export const services: readonly ServiceRoute[] = [
  { method: 'POST', path: '/api/v1/chat/:agentId', handle: handleChat },
  ...webhookRoutes,
  ...operationRoutes,
  ...olderRoutes,
]
