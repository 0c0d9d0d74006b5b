/** Every route of the service as the contract describes it. */
import { handleChat } from './chat/handler.ts'
import type { ServiceRoute } from './server/route.ts'
import { mcpRoutes } from './mcp/route.ts'
import { olderRoutes } from './older/routes.ts'
import { operationRoutes } from './operations/routes/routes.ts'
import { webhookRoutes } from './webhooks/management/management.ts'

export const services: readonly ServiceRoute[] = [
  { method: 'POST', path: '/api/v1/chat/:agentId', handle: handleChat },
  ...webhookRoutes,
  ...operationRoutes,
  ...olderRoutes,
  ...mcpRoutes,
]
