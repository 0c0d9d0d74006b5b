/** Reading what an execution carries: its input, its idempotency key, and the agent that the input names. */
import { parseBody, tooLargeWords } from '../../chat/body.ts'
import { carriedKey } from '../../chat/carried-key.ts'
import { isChatRefusal } from '../../chat/refusal.ts'
import { headerValues } from '../../server/call.ts'
import { isObject, type Json, type JsonObject } from '../../json.ts'
import type { Agent } from '../../tenant/principals.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import type { OperationVisit } from './enter.ts'
import type { Operation } from '../operation.ts'
import { objection } from '../rules/permission.ts'
import { refuseOperation, notFoundRefusal, type OperationRefusal } from '../refusal.ts'

export function jsonBodyOf({ state: { rules }, call }: OperationVisit): JsonObject | OperationRefusal {
  if (call.tooLarge) return refuseOperation('INVALID_INPUT', tooLargeWords(rules))
  const [contentType] = headerValues(call, 'content-type')
  if (!rules.acceptsContentType(contentType ?? null))
    return refuseOperation('INVALID_INPUT', 'Send the body as Content-Type: application/json.')
  const parsed = parseBody(call.body)
  return isChatRefusal(parsed) ? refuseOperation('INVALID_INPUT', parsed.words) : parsed.body
}

/** The input as the envelope has it; a key that is carried beside it is none of its members. */
export function inputOf({ rules }: TenantState, body: JsonObject): Json | undefined {
  if (rules.keyPlace === 'header') return rules.executionInput(body)
  const { idempotency_key: _key, ...rest } = body
  return rules.executionInput(rest)
}

/** Null: it came without a key, and may. */
export function operationKeyOf(
  { state: { rules }, call }: OperationVisit,
  body: JsonObject,
): { key: string | null } | OperationRefusal {
  const inBody = rules.keyPlace === 'body'
  const carried = carriedKey(inBody ? { ...call, headers: [] } : call, inBody ? body : {}, rules)
  if (!isChatRefusal(carried)) return carried
  if (carried.refused !== 'IDEMPOTENCY_KEY_REQUIRED') return refuseOperation('INVALID_INPUT', carried.words)
  if (!rules.keyIsRequired) return { key: null }
  const place = inBody ? 'idempotency_key beside the input' : 'the header Idempotency-Key'
  return refuseOperation(
    'IDEMPOTENCY_KEY_REQUIRED',
    `A write needs an idempotency key; send one in ${place}.`,
  )
}

export interface Fitting {
  readonly input: JsonObject
  readonly agent: Agent | null
}

/** An input that fits its schema and names an agent within reach, or what is wrong with it. */
export function fittingInput(
  { state, apiKey }: OperationVisit,
  operation: Operation,
  given: Json | undefined,
): Fitting | OperationRefusal {
  if (given === undefined)
    return refuseOperation(
      'INVALID_INPUT',
      'The body has no input; send {"input": {…}}, also where it is empty.',
    )
  const words = state.rules.inputProblem(operation, given, state.rules)
  if (words !== null) return refuseOperation('INVALID_INPUT', words)
  // A fault may let anything through: what is no object is then empty.
  const input = isObject(given) ? given : {}
  const { agentMember } = operation
  const named = agentMember === null ? undefined : input[agentMember]
  if (typeof named !== 'string') return { input, agent: null }
  const agent = state.agents.get(named)
  if (!agent) return notFoundRefusal(state.rules, 'agent')
  return objection(state, apiKey, operation, agent) ?? { input, agent }
}
