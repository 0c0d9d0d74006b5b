/** Streamable HTTP without sessions and without streams: each POST is answered by itself, as JSON. */
import { tooLargeWords } from '../chat/body.ts'
import { headerValues, type Call } from '../server/call.ts'
import type { ReplyInfo, HeaderLine, Reply } from '../server/reply.ts'
import type { JsonObject } from '../json.ts'
import { planRefusal } from '../operations/routes/enter.ts'
import type { ApiKey } from '../tenant/principals.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { callTool } from './call-tool.ts'
import {
  errorReply,
  isRpcError,
  parsedMessage,
  resultReply,
  rpcError,
  silentReply,
  type RpcError,
} from './message.ts'
import { listedTools, shownTool } from './tools.ts'

/** The newest first. Older ones allow batches, which this server does not take. */
const versions = ['2025-11-25', '2025-06-18'] as const

/** What a client speaks that does not say; it is not refused for that. */
const unsaid = '2025-03-26'

interface Visit {
  readonly state: TenantState
  readonly call: Call
  readonly apiKey: ApiKey
}

type Method = (visit: Visit, params: JsonObject) => JsonObject | RpcError | Promise<JsonObject | RpcError>

const methods: Readonly<Record<string, Method>> = {
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

/** A page in a browser that was led here has an origin that is not of this machine. */
function isOwnOrigin(origin: string): boolean {
  const host = URL.canParse(origin) ? new URL(origin).hostname : ''
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

const about: ReplyInfo = { operation: 'mcp' }

function refused(status: number, words: string, headers?: readonly HeaderLine[]): Reply {
  return errorReply(status, null, rpcError('invalidRequest', words), about, headers)
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

export async function answerMcp(state: TenantState, call: Call): Promise<Reply> {
  const apiKey = admitted(state, call)
  if ('kind' in apiKey) return apiKey
  const message = parsedMessage(call.body)
  if (message.is === 'error') return errorReply(400, null, message, about)
  if (message.is === 'silent') return silentReply(about)
  const { id, method, params } = message
  const run = Object.hasOwn(methods, method) ? methods[method] : undefined
  const result = run
    ? await run({ state, call, apiKey }, params)
    : rpcError('unknownMethod', `There is no method ${JSON.stringify(method.slice(0, 80))} here.`)
  return isRpcError(result) ? errorReply(200, id, result, about) : resultReply(id, result, about)
}
