/** Every route of the service as the contract describes it. */
import { handleChat } from './chat/handler.ts'
import type { ServiceRoute } from './server/route.ts'
import { olderChat } from './older/chat.ts'
import { olderConversation } from './older/conversation.ts'
import { operationRoutes } from './operations/routes/routes.ts'
import { webhookRoutes } from './webhooks/management/management.ts'

const served: ServiceRoute['served'] = ({ rules }) => rules.servesOlder

/** The catalogue over the Model Context Protocol, loaded with its first request, because few want it. */
const handleMcp: ServiceRoute['handle'] = async (state, call) => {
  const { answerMcp } = await import('./mcp/server.ts')
  return answerMcp(state, call)
}

export const services: readonly ServiceRoute[] = [
  { method: 'POST', path: '/api/v1/chat/:agentId', handle: handleChat },
  ...webhookRoutes,
  ...operationRoutes,
  { method: 'POST', path: '/v1/agents/:agent_id/chat', handle: olderChat, served },
  { method: 'GET', path: '/v1/conversations/:conversation_id', handle: olderConversation, served },
  { method: 'POST', path: '/mcp', handle: handleMcp },
]
