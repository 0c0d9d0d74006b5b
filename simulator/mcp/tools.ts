/**
 * The tools of an API key: its operations, the second steps of uploads, and what receipts lead to. A tool is called by
 * sending what the HTTP API would be sent, so that both decide everything alike.
 */
import { limits } from '../../spec/index.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { uploadKinds } from '../tenant/operations/account-data.ts'
import { members, type Operation } from '../tenant/operations/operation.ts'
import { handleExecution, approvalReply, taskReply } from '../operations/routes/execute.ts'
import { ownRoutes } from '../operations/routes/own-routes.ts'
import { finalizeInput, uploadIds, uploadPath } from '../operations/uploads/rows.ts'
import { uploadRoutes } from '../operations/uploads/uploads.ts'
import type { Call, JsonReply, Reply } from '../edge/reply.ts'
import type { ApiKey } from '../tenant/principals.ts'
import type { TenantState } from '../rules/tenant-state.ts'

const codes = {
  unreadable: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
} as const

export class RpcError extends Error {
  readonly code: number
  constructor(reason: keyof typeof codes, words: string) {
    super(words)
    this.code = codes[reason]
  }
}

interface ToolCall {
  readonly state: TenantState
  readonly call: Call
  readonly input: JsonObject
  /** Idempotency key; null where none came. */
  readonly key: string | null
}

type ToolHandler = (asked: ToolCall) => Reply | Promise<Reply>

interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Without the idempotency key. */
  readonly schema: JsonObject
  readonly write: boolean
  readonly destructive: boolean
  readonly handle: ToolHandler
}

/** The argument of every write that carries its idempotency key. */
const keyArgument = 'idempotencyKey'

/** A request of the HTTP API. Header values have one character per byte. */
function posted(
  { state, call, key }: ToolCall,
  path: string,
  body: JsonObject,
  params: Call['params'],
): Call {
  const inHeader = state.rules.keyPlace === 'header'
  const whole = key === null || inHeader ? body : { ...body, idempotency_key: key }
  const keyLine = ['Idempotency-Key', Buffer.from(key ?? '', 'utf8').toString('latin1')] as const
  return {
    ...call,
    path,
    params,
    headers: [
      ...call.headers.filter(([name]) => name.toLowerCase() === 'authorization'),
      ['Content-Type', 'application/json'],
      ...(key !== null && inHeader ? [keyLine] : []),
    ],
    body: Buffer.from(JSON.stringify(whole)),
  }
}

/** The input is in the envelope of the chosen interpretation. */
const executionHandler =
  (operationId: string): ToolHandler =>
  (asked) => {
    const { state, input } = asked
    const wrapped = { input }
    const body = state.rules.executionInput(wrapped) === input ? wrapped : input
    const path = `/api/v1/operation-executions/${operationId}`
    return handleExecution(state, posted(asked, path, body, { operationId }))
  }

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A read at a route of its own, whose input is in the query. */
function readHandler({ route }: Operation): ToolHandler | null {
  const own = ownRoutes.find(({ method, path }) => method === route?.method && path === route.path)
  if (!own) return null
  return ({ state, call, input }) => {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(input)) query.set(name, textOf(value))
    const path = `${own.path}?${query.toString()}`
    return own.handle(state, { ...call, method: 'GET', path, params: {}, body: new Uint8Array() })
  }
}

const uploadHandler =
  (path: string): ToolHandler =>
  (asked) => {
    const step = uploadRoutes.find((route) => route.path === path)
    if (!step) throw new Error(`There is no step of an upload at ${path}.`)
    return step.handle(asked.state, posted(asked, path, asked.input, {}))
  }

function followUp(
  name: string,
  [title, description]: readonly [title: string, description: string],
  id: string,
  reply: (state: TenantState, call: Call) => Reply,
): Tool {
  const schema = members({ [id]: { type: 'string', minLength: 1 } })
  const handle: ToolHandler = ({ state, call, input: { [id]: given } }) =>
    reply(state, { ...call, params: { [id]: typeof given === 'string' ? given : '' } })
  return { name, title, description, schema, write: false, destructive: false, handle }
}

const followUps: readonly Tool[] = [
  followUp(
    'tasks.read',
    ['Read a task', 'How far the work of an accepted receipt has come.'],
    'taskId',
    taskReply,
  ),
  followUp(
    'approvals.read',
    ['Read an approval', 'Whether the owner has decided, and what came of it.'],
    'approvalId',
    approvalReply,
  ),
]

/** An operation has one tool, an upload one for each of its steps. */
function toolsOf(operation: Operation, schema: JsonObject, state: TenantState): readonly Tool[] {
  const { id: name, title, description, kind, destructive, route } = operation
  const tool = { name, title, description, schema, write: kind === 'write', destructive }
  const upload = uploadKinds.find((each) => uploadIds[each] === name)
  if (upload)
    return [
      { ...tool, handle: uploadHandler(uploadPath(upload, 'prepare')) },
      {
        ...tool,
        name: `${name}.finalize`,
        title: `${title}: its bytes`,
        description: 'Sends the file that was prepared, with an idempotency key of its own.',
        schema: finalizeInput,
        handle: uploadHandler(uploadPath(upload, 'finalize')),
      },
    ]
  const routed = route?.isServed(state.rules) ? readHandler(operation) : null
  return [{ ...tool, handle: routed ?? executionHandler(name) }]
}

/** What discovery lists for this key. */
export function listedTools(state: TenantState, apiKey: ApiKey): readonly Tool[] {
  const { rules } = state
  const listed = rules.catalogue.filter((operation) => rules.isListed(operation, apiKey, state))
  return [
    ...listed.flatMap((each) => toolsOf(each, rules.shownSchema(each, apiKey, state), state)),
    ...followUps,
  ]
}

const { idempotencyKeyMinCharacters: minLength, idempotencyKeyMaxCharacters: maxLength } = limits
const keySchema: JsonObject = {
  type: 'string',
  minLength,
  maxLength,
  description: 'The same for every repetition of this call, another one for every other call.',
}

function withKey(schema: JsonObject, isRequired: boolean): JsonObject {
  const { properties, required } = schema
  const names = Array.isArray(required) ? (required as readonly string[]) : []
  return {
    ...schema,
    properties: { ...(isObject(properties) && properties), [keyArgument]: keySchema },
    required: isRequired ? [...names, keyArgument] : names,
  }
}

/** As `tools/list` shows it. */
export function shownTool(tool: Tool, { rules }: TenantState): JsonObject {
  const { name, title, description, schema, write, destructive } = tool
  return {
    name,
    title,
    description,
    inputSchema: write ? withKey(schema, rules.keyIsRequired) : schema,
    annotations: {
      title,
      readOnlyHint: !write,
      destructiveHint: destructive,
      idempotentHint: true,
      openWorldHint: false,
    },
  }
}

/** Whether or not the key may call the tool; whoever answers it decides. Throws an RpcError. */
export async function callTool(state: TenantState, call: Call, params: JsonObject): Promise<JsonObject> {
  const { name, arguments: given = {} } = params as Readonly<Record<string, Json>>
  const tools = state.rules.catalogue.flatMap((each) => toolsOf(each, each.input(state.rules), state))
  const tool = [...tools, ...followUps].find((one) => one.name === name)
  if (!tool) throw new RpcError('invalidParams', 'There is no tool of this name; take one from tools/list.')
  if (!isObject(given)) throw new RpcError('invalidParams', 'arguments must be an object.')
  // The key is an argument of a write alone.
  const { [keyArgument]: key = null, ...others } = given as Readonly<Record<string, Json>>
  if (tool.write && key !== null && typeof key !== 'string')
    throw new RpcError('invalidParams', `${keyArgument} must be a string.`)
  const asked = tool.write ? { input: others, key: key as string | null } : { input: given, key: null }
  const reply = await tool.handle({ state, call, ...asked })
  if (reply.kind !== 'json')
    throw new RpcError('invalidRequest', `The tool ${tool.name} gave no answer that can be shown.`)
  const shown = shownBody(state, reply)
  return {
    content: [{ type: 'text', text: JSON.stringify(shown) }],
    ...(isObject(shown) && { structuredContent: shown }),
    isError: reply.status >= 400 || reply.about.receipt === 'failed',
  }
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
