/** Every route of operations. */
import type { ServiceRoute } from '../../server/route.ts'
import { discover } from './discover.ts'
import { execute } from './execute.ts'
import { readApproval, readTask } from './follow-up.ts'
import { ownRoutes } from './own-routes.ts'
import { uploadRoutes } from '../uploads/uploads.ts'

export const operationRoutes: readonly ServiceRoute[] = [
  { method: 'GET', path: '/api/v1/operations', handle: discover },
  { method: 'POST', path: '/api/v1/operation-executions/:operationId', handle: execute },
  { method: 'GET', path: '/api/v1/tasks/:taskId', handle: readTask },
  { method: 'GET', path: '/api/v1/approvals/:approvalId', handle: readApproval },
  ...ownRoutes,
  ...uploadRoutes,
]
