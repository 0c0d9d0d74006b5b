/** Every rule of a request that needs no memory: agent, permissions, body and idempotency key. */
import { headerValues, type Call } from '../server/call.ts'
import type { Agent, ApiKey } from '../tenant/principals.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { parseBody, readBody, tooLargeWords } from './body.ts'
import { carriedKey } from './carried-key.ts'
import { isRefusal, refuse, type Refusal } from './refusal.ts'
import type { Asked, ChatRequest } from './turn.ts'

function reach({ agents, rules }: TenantState, call: Call, apiKey: ApiKey): Agent | Refusal {
  const agent = agents.get(call.params['agentId'] ?? '')
  for (const rule of rules.permissions) {
    const code = rule.objects(apiKey, agent, rules)
    if (code !== null) return refuse(code)
  }
  // Only a fault lets a call through to an agent that is not there.
  return agent ?? [...agents.values()][0] ?? refuse('AGENT_NOT_FOUND')
}

function read({ rules }: TenantState, call: Call): { request: ChatRequest; key: string } | Refusal {
  if (call.tooLarge) return refuse('INVALID_BODY', tooLargeWords(rules))
  if (!rules.acceptsContentType(headerValues(call, 'content-type')[0] ?? null))
    return refuse('INVALID_BODY', 'Send the body with Content-Type: application/json.')
  const parsed = parseBody(call.body)
  if (isRefusal(parsed)) return parsed
  const request = readBody(parsed, rules)
  if (isRefusal(request)) return request
  const carried = carriedKey(call, parsed.body, rules)
  return isRefusal(carried) ? carried : { request, key: carried.key }
}

export function ask(state: TenantState, call: Call, apiKey: ApiKey): Asked | Refusal {
  const bodyFirst = state.rules.order === 'body-first' ? read(state, call) : null
  if (isRefusal(bodyFirst)) return bodyFirst
  const agent = reach(state, call, apiKey)
  if (isRefusal(agent)) return agent
  const body = bodyFirst ?? read(state, call)
  return isRefusal(body) ? body : { apiKey, agent, ...body }
}
