/** Every route of the service as the contract describes it. */
import { handleChat } from './chat/handler.ts'
import type { ServiceRoute } from './server/route.ts'
import { olderRoutes } from './older/older.ts'
import { operationRoutes } from './operations/routes/routes.ts'
import { webhookRoutes } from './webhooks/management/management.ts'

/** The catalogue over the Model Context Protocol, loaded with its first request, because few want it. */
const handleMcp: ServiceRoute['handle'] = async (state, call) => {
  const { answerMcp } = await import('./mcp/server.ts')
  return answerMcp(state, call)
}

export const services: readonly ServiceRoute[] = [
  { method: 'POST', path: '/api/v1/chat/:agentId', handle: handleChat },
  ...webhookRoutes,
  ...operationRoutes,
  ...olderRoutes,
  { method: 'POST', path: '/mcp', handle: handleMcp },
]
