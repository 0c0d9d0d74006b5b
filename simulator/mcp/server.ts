/** The Model Context Protocol over Streamable HTTP, without sessions and streams: each POST is answered by itself, as JSON. */
import { isUtf8 } from 'node:buffer'
import { tooLargeWords } from '../chat/body.ts'
import { isObject, isShallow, type Json, type JsonObject } from '../json.ts'
import { planRefusal } from '../operations/routes/enter.ts'
import {
  headerValues,
  type Call,
  jsonReply,
  type HeaderLine,
  type Reply,
  type ReplyInfo,
} from '../edge/reply.ts'
import type { ApiKey } from '../tenant/principals.ts'
import type { TenantState } from '../rules/tenant-state.ts'
import { callTool, listedTools, RpcError, shownTool } from './tools.ts'

/** The newest first. Older ones allow batches, which this server does not take. */
const versions = ['2025-11-25', '2025-06-18'] as const

/** What a client speaks that does not say; it is not refused for that. */
const unsaid = '2025-03-26'

interface Request {
  readonly id: string | number
  readonly method: string
  readonly params: JsonObject
}

/** Null: a notification, or the answer to a request; nobody waits for a reply to it. Throws an RpcError. */
function requestIn(bytes: Uint8Array): Request | null {
  if (!isUtf8(bytes)) throw new RpcError('unreadable', 'The body is not UTF-8.')
  if (!isShallow(bytes)) throw new RpcError('invalidRequest', 'The message is nested too deep.')
  const message = parsed(bytes)
  if (!isObject(message)) throw new RpcError('invalidRequest', 'Send one JSON-RPC message, as an object.')
  const { jsonrpc, id, method, params = {} } = message as Partial<Record<string, Json>>
  if (jsonrpc !== '2.0') throw new RpcError('invalidRequest', 'jsonrpc must be "2.0".')
  if (method === undefined && ('result' in message || 'error' in message)) return null
  if (typeof method !== 'string') throw new RpcError('invalidRequest', 'method must be a string.')
  if (id === undefined) return null
  if (typeof id !== 'string' && typeof id !== 'number')
    throw new RpcError('invalidRequest', 'id must be a string or a number.')
  if (!isObject(params)) throw new RpcError('invalidRequest', 'params must be an object.')
  return { id, method, params }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    throw new RpcError('unreadable', 'The body is not JSON.')
  }
}

interface Visit {
  readonly state: TenantState
  readonly call: Call
  readonly apiKey: ApiKey
}

const methods: Readonly<
  Record<string, (visit: Visit, params: JsonObject) => JsonObject | Promise<JsonObject>>
> = {
  initialize: (_visit, { protocolVersion }) => ({
    protocolVersion: versions.find((version) => version === protocolVersion) ?? versions[0],
    capabilities: { tools: {} },
    serverInfo: { name: 'touchstone-simulator', title: 'Touchstone simulator', version: '1' },
    instructions: 'Each tool is an operation of the project; each write takes an idempotencyKey.',
  }),
  ping: () => ({}),
  'tools/list': ({ state, apiKey }) => ({
    tools: listedTools(state, apiKey).map((tool) => shownTool(tool, state)),
  }),
  'tools/call': ({ state, call }, params) => callTool(state, call, params),
}

const about: ReplyInfo = { operation: 'mcp' }

function errorReply(
  status: number,
  id: Request['id'] | null,
  { code, message }: RpcError,
  headers: readonly HeaderLine[] = [],
): Reply {
  return jsonReply(status, { jsonrpc: '2.0', id, error: { code, message } }, about, headers)
}

const refused = (status: number, words: string, headers?: readonly HeaderLine[]): Reply =>
  errorReply(status, null, new RpcError('invalidRequest', words), headers)

/** A page in a browser that was led here has an origin that is not of this machine. */
function isOwnOrigin(origin: string): boolean {
  const host = URL.canParse(origin) ? new URL(origin).hostname : ''
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** The API key, or what the transport refuses whatever the message says. */
function admitted(state: TenantState, call: Call): ApiKey | Reply {
  if (!headerValues(call, 'origin').every(isOwnOrigin))
    return refused(403, 'The Origin is not of this machine; call from a page of localhost, or from none.')
  const apiKey = state.rules.callerOf(call, state)
  if (!apiKey)
    return refused(401, 'Send one valid API key: Authorization: Bearer <key>.', [
      ['WWW-Authenticate', 'Bearer'],
    ])
  const closed = planRefusal(state, apiKey)
  if (closed) return refused(closed.status, closed.words)
  const [version = unsaid] = headerValues(call, 'mcp-protocol-version')
  if (version !== unsaid && !versions.some((known) => known === version))
    return refused(400, `MCP-Protocol-Version must be one of ${versions.join(', ')}.`)
  return call.tooLarge ? refused(400, tooLargeWords(state.rules)) : apiKey
}

/** A request that was read is answered 200, whatever comes of it. */
export async function answerMcp(state: TenantState, call: Call): Promise<Reply> {
  const apiKey = admitted(state, call)
  if ('kind' in apiKey) return apiKey
  let id: Request['id'] | null = null
  try {
    const request = requestIn(call.body)
    if (!request) return { kind: 'bytes', status: 202, headers: [['Content-Length', '0']], chunks: [], about }
    const { method, params } = request
    id = request.id
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!run)
      throw new RpcError('unknownMethod', `There is no method ${JSON.stringify(method.slice(0, 80))} here.`)
    return jsonReply(200, { jsonrpc: '2.0', id, result: await run({ state, call, apiKey }, params) }, about)
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return errorReply(id === null ? 400 : 200, id, error)
  }
}
