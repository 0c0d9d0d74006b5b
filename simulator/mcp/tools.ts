/** The tools of an API key: its operations, the second steps of uploads, and what receipts lead to. */
import { uploadKinds } from '../operations/account-data.ts'
import { limits } from '../../spec/index.ts'
import { isObject, type JsonObject } from '../json.ts'
import { approvalReply, taskReply } from '../operations/routes/follow-up.ts'
import { members, type Operation } from '../operations/operation.ts'
import { finalizeInput, uploadIds, uploadPath } from '../operations/uploads/rows.ts'
import type { ApiKey } from '../tenant/principals.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { executionHandler, readHandler, uploadStepHandler, type ToolHandler } from './tool-handlers.ts'

export interface Tool {
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
export const keyArgument = 'idempotencyKey'

const idMember = (name: string): JsonObject => members({ [name]: { type: 'string', minLength: 1 } })
const readOnly = { write: false, destructive: false } as const

const followUps: readonly Tool[] = [
  {
    ...readOnly,
    name: 'tasks.read',
    title: 'Read a task',
    description: 'How far the work of an accepted receipt has come.',
    schema: idMember('taskId'),
    handle: ({ state, call, input }) =>
      taskReply(state, { ...call, params: { taskId: idIn(input, 'taskId') } }),
  },
  {
    ...readOnly,
    name: 'approvals.read',
    title: 'Read an approval',
    description: 'Whether the owner has decided, and what came of it.',
    schema: idMember('approvalId'),
    handle: ({ state, call, input }) =>
      approvalReply(state, { ...call, params: { approvalId: idIn(input, 'approvalId') } }),
  },
]

function idIn(input: JsonObject, name: string): string {
  const id = input[name]
  return typeof id === 'string' ? id : ''
}

/** An operation has one tool, an upload one for each of its steps. */
function toolsOf(operation: Operation, schema: JsonObject, state: TenantState): readonly Tool[] {
  const { id: name, title, description, kind, destructive, route } = operation
  const tool = { name, title, description, schema, write: kind === 'write', destructive }
  const upload = uploadKinds.find((each) => uploadIds[each] === name)
  if (upload)
    return [
      { ...tool, handle: uploadStepHandler(uploadPath(upload, 'prepare')) },
      {
        ...tool,
        name: `${name}.finalize`,
        title: `${title}: its bytes`,
        description: 'Sends the file that was prepared, with an idempotency key of its own.',
        schema: finalizeInput,
        handle: uploadStepHandler(uploadPath(upload, 'finalize')),
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

/** Whether or not a key may call it; whoever answers it decides. */
export function toolNamed(state: TenantState, name: string): Tool | null {
  const tools = state.rules.catalogue.flatMap((each) => toolsOf(each, each.input(state.rules), state))
  return [...tools, ...followUps].find((tool) => tool.name === name) ?? null
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
export function shownTool(
  { name, title, description, schema, write, destructive }: Tool,
  state: TenantState,
): JsonObject {
  return {
    name,
    title,
    description,
    inputSchema: write ? withKey(schema, state.rules.keyIsRequired) : schema,
    annotations: {
      title,
      readOnlyHint: !write,
      destructiveHint: destructive,
      idempotentHint: true,
      openWorldHint: false,
    },
  }
}
