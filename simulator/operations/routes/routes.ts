/** Every route of operations. */
import type { ServiceRoute } from '../../server/route.ts'
import { handleDiscovery } from './discover.ts'
import { handleExecution } from './execute.ts'
import { approvalReply, taskReply } from './follow-up.ts'
import { ownRoutes } from './own-routes.ts'
import { uploadRoutes } from '../uploads/uploads.ts'

export const operationRoutes: readonly ServiceRoute[] = [
  { method: 'GET', path: '/api/v1/operations', handle: handleDiscovery },
  { method: 'POST', path: '/api/v1/operation-executions/:operationId', handle: handleExecution },
  { method: 'GET', path: '/api/v1/tasks/:taskId', handle: taskReply },
  { method: 'GET', path: '/api/v1/approvals/:approvalId', handle: approvalReply },
  ...ownRoutes,
  ...uploadRoutes,
]
