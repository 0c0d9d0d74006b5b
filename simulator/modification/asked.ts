/** What a call asked for, for modifications that depend on it. */
import type { ChatTenant } from '../chat/rules.ts'
import type { TurnRequest } from '../chat/turn.ts'
import { headerValues, type Call } from '../server/call.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { ApiKey } from '../tenant/principals.ts'

/** The body of a chat request as it came, or an empty object. */
export function sentBody(call: Call): JsonObject {
  try {
    const body: unknown = JSON.parse(Buffer.from(call.body).toString('utf8'))
    return isObject(body) ? body : {}
  } catch {
    return {}
  }
}

export function wantsStream(call: Call): boolean {
  return sentBody(call)['stream'] === true
}

export function apiKeyOfCall(call: Call, state: ChatTenant): ApiKey | undefined {
  const [authorization = ''] = headerValues(call, 'authorization')
  return state.apiKeys.get(state.rules.bearer(authorization) ?? '')
}

/** A refused request as the rules see it; null where it names no agent, key or caller. */
export function turnOfCall(
  call: Call,
  state: ChatTenant,
  apiKey = apiKeyOfCall(call, state),
): TurnRequest | null {
  const { message, idempotency_key: inBody } = sentBody(call)
  const agent = state.agents.get(call.params['agentId'] ?? '')
  const key = typeof inBody === 'string' ? inBody : headerValues(call, 'idempotency-key')[0]
  if (!agent || !apiKey || key === undefined) return null
  const text = typeof message === 'string' ? message : ''
  return {
    apiKey,
    agent,
    key,
    request: { message: text, conversationId: null, stream: false, interaction: null, text },
  }
}
