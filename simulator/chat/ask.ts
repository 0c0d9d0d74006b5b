/** Every rule of a request that needs no memory: agent, permissions, body and idempotency key. */
import { headerValues, type Call } from '../server/call.ts'
import type { Agent, ApiKey } from '../tenant/principals.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { parseBody, readChatBody, tooLargeWords } from './body.ts'
import { carriedKey } from './carried-key.ts'
import { isChatRefusal, refuseChat, type ChatRefusal } from './refusal.ts'
import type { TurnRequest, ChatBody } from './turn.ts'

function reach({ agents, rules }: TenantState, call: Call, apiKey: ApiKey): Agent | ChatRefusal {
  const agent = agents.get(call.params['agentId'] ?? '')
  for (const rule of rules.permissions) {
    const code = rule.objects(apiKey, agent, rules)
    if (code !== null) return refuseChat(code)
  }
  // Only a fault lets a call through to an agent that is not there.
  return agent ?? [...agents.values()][0] ?? refuseChat('AGENT_NOT_FOUND')
}

function read({ rules }: TenantState, call: Call): { request: ChatBody; key: string } | ChatRefusal {
  if (call.tooLarge) return refuseChat('INVALID_BODY', tooLargeWords(rules))
  if (!rules.acceptsContentType(headerValues(call, 'content-type')[0] ?? null))
    return refuseChat('INVALID_BODY', 'Send the body with Content-Type: application/json.')
  const parsed = parseBody(call.body)
  if (isChatRefusal(parsed)) return parsed
  const request = readChatBody(parsed, rules)
  if (isChatRefusal(request)) return request
  const carried = carriedKey(call, parsed.body, rules)
  return isChatRefusal(carried) ? carried : { request, key: carried.key }
}

export function ask(state: TenantState, call: Call, apiKey: ApiKey): TurnRequest | ChatRefusal {
  const bodyFirst = state.rules.order === 'body-first' ? read(state, call) : null
  if (isChatRefusal(bodyFirst)) return bodyFirst
  const agent = reach(state, call, apiKey)
  if (isChatRefusal(agent)) return agent
  const body = bodyFirst ?? read(state, call)
  return isChatRefusal(body) ? body : { apiKey, agent, ...body }
}
