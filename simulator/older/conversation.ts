/** Reading what was said in a conversation over the older routes. */
import { conversationKey } from '../tenant/conversations.ts'
import type { OlderConversation } from '../../spec/index.ts'
import type { Call } from '../server/call.ts'
import { jsonReply, type ReplyInfo, type Reply } from '../server/reply.ts'
import type { ApiKey } from '../tenant/principals.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { enterOlder } from './access.ts'
import type { History } from './books.ts'
import { isOlderRefusal, refusedOlder, refuseOlder, type OlderRefusal } from './refusal.ts'

export function olderConversation(state: TenantState, call: Call): Reply {
  const { headers, entered } = enterOlder(state, call)
  const about: ReplyInfo = { operation: 'older-conversation' }
  if (isOlderRefusal(entered)) return refusedOlder(state, entered, about, headers)
  const history = find(state, call.params['conversation_id'] ?? '', entered)
  if (isOlderRefusal(history)) return refusedOlder(state, history, about, headers)
  return jsonReply(200, { ...conversationBody(history) }, about, headers)
}

/** That of another agent of the account is there and not for this key; those of other accounts are not disclosed. */
function find(
  { older: { histories } }: TenantState,
  id: string,
  { account, agent }: ApiKey,
): History | OlderRefusal {
  const own = histories.get(conversationKey({ account, agent: agent ?? '', id }))
  if (own) return own
  const known = histories.values().some((history) => history.id === id && history.account === account)
  return known
    ? refuseOlder('forbidden', 'The conversation is one of another agent.')
    : refuseOlder('not_found', 'There is no such conversation.')
}

function conversationBody({
  id,
  agent,
  createdAt,
  said,
}: History): OlderConversation & { messages: object[] } {
  return {
    id,
    agent_id: agent,
    created_at: iso(createdAt),
    messages: said.map(({ role, content, at }) => ({ role, content, timestamp: iso(at) })),
  }
}

const iso = (at: number): string => new Date(at).toISOString()
