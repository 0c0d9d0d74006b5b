/** The routes of the older variant; they are there only where it is served. */
import type { ServiceRoute } from '../server/route.ts'
import { olderChat } from './chat.ts'
import { olderConversation } from './conversation.ts'

const served: ServiceRoute['served'] = ({ rules }) => rules.servesOlder

export const olderRoutes: readonly ServiceRoute[] = [
  { method: 'POST', path: '/v1/agents/:agent_id/chat', handle: olderChat, served },
  { method: 'GET', path: '/v1/conversations/:conversation_id', handle: olderConversation, served },
]
