/** What a request is refused for before anything runs. */
import type { OperationReply } from '../../spec/operations.ts'
import type { HeaderLine } from './reply.ts'
import type { JsonObject, Json } from '../json.ts'
import { remembered } from '../tenant/book.ts'
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'

type RefusalStatus = Extract<OperationReply<'executeOperation'>['status'], 400 | 401 | 403 | 404 | 409 | 429>

/** Three of the contract's own; the others are the simulator's, because the contract shows none. */
export type OperationRefusalCode =
  | 'INVALID_API_KEY'
  | 'FORBIDDEN'
  | 'PLAN_REQUIRED'
  | 'NOT_FOUND'
  | 'OWN_ROUTE'
  | 'INVALID_INPUT'
  | 'IDEMPOTENCY_KEY_REQUIRED'
  | 'REQUEST_IN_PROGRESS'
  | 'IDEMPOTENCY_CONFLICT'
  | 'RATE_LIMITED'

const statuses = {
  INVALID_API_KEY: 401,
  FORBIDDEN: 403,
  PLAN_REQUIRED: 403,
  NOT_FOUND: 404,
  OWN_ROUTE: 400,
  INVALID_INPUT: 400,
  IDEMPOTENCY_KEY_REQUIRED: 400,
  REQUEST_IN_PROGRESS: 409,
  IDEMPOTENCY_CONFLICT: 409,
  RATE_LIMITED: 429,
} as const satisfies Record<OperationRefusalCode, RefusalStatus>

export interface OperationRefusal {
  readonly refused: OperationRefusalCode
  readonly status: RefusalStatus
  /** What went wrong, and what to do. */
  readonly words: string
  readonly members: JsonObject
  readonly headers: readonly HeaderLine[]
}

export function refuseOperation(
  refused: OperationRefusalCode,
  words: string,
  more: Partial<OperationRefusal> = {},
): OperationRefusal {
  return { refused, status: statuses[refused], words, members: {}, headers: [], ...more }
}

/** Whether it is not there or somebody else's is not distinguished. */
export function notFoundRefusal(
  { unknownStatus: status }: { readonly unknownStatus: 403 | 404 },
  what: 'operation' | 'task' | 'approval' | 'agent',
): OperationRefusal {
  const where = what === 'task' || what === 'approval' ? 'a receipt' : 'GET /api/v1/operations'
  const words = `There is no such ${what} for this API key; take its id from ${where}.`
  return refuseOperation('NOT_FOUND', words, { status })
}

export function isOperationRefusal(value: object): value is OperationRefusal {
  return 'refused' in value
}

export const notServed = (): OperationRefusal =>
  refuseOperation('NOT_FOUND', 'There is nothing at this path.')

/** Holds an input against the schema of its operation. */
const validators = new WeakMap<JsonObject, ValidateFunction>()
let compiler: Ajv2020 | undefined

/** Not at the start, because a validator costs more time than the whole rest of starting. */
export async function loadCompiler(): Promise<void> {
  if (compiler) return
  const [{ Ajv2020 }, { default: formats }] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
  ])
  const ajv = new Ajv2020({ strict: true, validateSchema: false })
  formats.default(ajv)
  compiler ??= ajv
}

/** What is wrong, where, and what would be right; null where the input fits. */
export function schemaProblem(schema: JsonObject, input: Json): string | null {
  const validate = remembered(validators, schema, () => {
    if (!compiler) throw new Error('Load the compiler before an input is held against a schema.')
    return compiler.compile(schema)
  })
  return validate(input) ? null : wordsOf(validate.errors?.[0])
}

function wordsOf(error: ErrorObject | undefined): string {
  if (!error) return 'The input does not fit its schema.'
  const { instancePath, message = 'does not fit', params } = error
  const extra: unknown = params['additionalProperty']
  const more = typeof extra === 'string' ? `: ${JSON.stringify(extra.slice(0, 40))}` : ''
  return `input${instancePath} ${message}${more}. See its schema in GET /api/v1/operations.`
}
