/** A tool is called by sending what the HTTP API would be sent, so that both decide everything alike. */
import type { Call } from '../server/call.ts'
import type { Reply } from '../server/reply.ts'
import type { JsonObject } from '../json.ts'
import { handleExecution } from '../operations/routes/execute.ts'
import type { Operation } from '../operations/operation.ts'
import { ownRoutes } from '../operations/routes/own-routes.ts'
import { uploadRoutes } from '../operations/uploads/uploads.ts'
import type { TenantState } from '../tenant/tenant-state.ts'

/** What a tool was called with. `key`: idempotency key; null where none came. */
export interface ToolRequest {
  readonly state: TenantState
  /** The request that carried it. */
  readonly call: Call
  readonly input: JsonObject
  readonly key: string | null
}

export type ToolHandler = (asked: ToolRequest) => Reply | Promise<Reply>

const nothing = new Uint8Array()

/** Header values have one character per byte. */
const headerValue = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

function posted(
  { state, call, key }: ToolRequest,
  path: string,
  body: JsonObject,
  params: Call['params'],
): Call {
  const inHeader = state.rules.keyPlace === 'header'
  const whole = key === null || inHeader ? body : { ...body, idempotency_key: key }
  const authorization = call.headers.filter(([name]) => name.toLowerCase() === 'authorization')
  return {
    ...call,
    path,
    params,
    headers: [
      ...authorization,
      ['Content-Type', 'application/json'],
      ...(key !== null && inHeader ? [['Idempotency-Key', headerValue(key)] as const] : []),
    ],
    body: Buffer.from(JSON.stringify(whole)),
  }
}

/** The input as the envelope of the chosen interpretation has it. */
function enveloped({ rules }: TenantState, input: JsonObject): JsonObject {
  const wrapped = { input }
  return rules.executionInput(wrapped) === input ? wrapped : input
}

export const executionHandler =
  (operationId: string): ToolHandler =>
  (asked) => {
    const path = `/api/v1/operation-executions/${operationId}`
    const { state } = asked
    return handleExecution(state, posted(asked, path, enveloped(state, asked.input), { operationId }))
  }

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A read at a route of its own, whose input is in the query. */
export function readHandler({ route }: Operation): ToolHandler | null {
  const own = ownRoutes.find(({ method, path }) => method === route?.method && path === route.path)
  if (!own) return null
  return ({ state, call, input }) => {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(input)) query.set(name, textOf(value))
    const path = `${own.path}?${query.toString()}`
    return own.handle(state, { ...call, method: 'GET', path, params: {}, body: nothing })
  }
}

/** A step of an upload. */
export function uploadStepHandler(path: string): ToolHandler {
  return (asked) => {
    const step = uploadRoutes.find((route) => route.path === path)
    if (!step) throw new Error(`There is no step of an upload at ${path}.`)
    return step.handle(asked.state, posted(asked, path, asked.input, {}))
  }
}
