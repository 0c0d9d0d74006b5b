/** Calling a tool: its arguments, the answer of the HTTP API to them, and that answer as a result. */
import type { Call } from '../server/call.ts'
import type { JsonReply } from '../server/reply.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import type { ToolRequest } from './tool-handlers.ts'
import { rpcError, type RpcError } from './message.ts'
import { keyArgument, toolNamed, type Tool } from './tools.ts'

/** The key of a write is an argument of the tool, and none of the operation. */
function askedWith(
  state: TenantState,
  call: Call,
  { write }: Tool,
  given: JsonObject,
): ToolRequest | RpcError {
  if (!write) return { state, call, input: given, key: null }
  const { [keyArgument]: key = null, ...input } = given as Readonly<Record<string, Json>>
  return key === null || typeof key === 'string'
    ? { state, call, input, key }
    : rpcError('invalidParams', `${keyArgument} must be a string.`)
}

export async function callTool(
  state: TenantState,
  call: Call,
  params: JsonObject,
): Promise<JsonObject | RpcError> {
  const { name, arguments: given = {} } = params as Readonly<Record<string, Json>>
  const tool = typeof name === 'string' ? toolNamed(state, name) : null
  if (!tool) return rpcError('invalidParams', 'There is no tool of this name; take one from tools/list.')
  if (!isObject(given)) return rpcError('invalidParams', 'arguments must be an object.')
  const asked = askedWith(state, call, tool, given)
  if ('is' in asked) return asked
  const reply = await tool.handle(asked)
  return reply.kind === 'json'
    ? resultOf(state, reply)
    : rpcError('invalidRequest', `The tool ${tool.name} gave no answer that can be shown.`)
}

/** What a result shows of an answer: a receipt or a refusal, in the words of a tool. */
function shownBody({ rules }: TenantState, { status, body, about }: JsonReply): Json {
  // Data that came from a route of its own gets the receipt that everything else has.
  if (about.operation === 'own-route' && status < 400)
    return rules.receiptBody({ status: 'completed', data: body })
  const code = 'IDEMPOTENCY_KEY_REQUIRED'
  return about.code === `operations/${code}`
    ? rules.refusalBody(code, `A write needs an idempotency key; send the argument ${keyArgument}.`, rules)
    : body
}

function resultOf(state: TenantState, reply: JsonReply): JsonObject {
  const shown = shownBody(state, reply)
  return {
    content: [{ type: 'text', text: JSON.stringify(shown) }],
    ...(isObject(shown) && { structuredContent: shown }),
    isError: reply.status >= 400 || reply.about.receipt === 'failed',
  }
}
