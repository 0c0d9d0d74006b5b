/** Which operations there are for a key, and running one. */
import type { Catalogue, InputSchema } from '../catalogue/catalogue.ts'
import type { Dialect } from '../options/dialect.ts'
import { InvalidCall, NoAnswer, UnknownShape } from '../errors.ts'
import { firstAt, isId, isJsonArray, isObject, placed, type JsonObject } from '../json.ts'
import {
  checkKey,
  segment,
  resending,
  type Resend,
  isSuccess,
  type ServiceRequest,
  type Transport,
} from '../http/transport.ts'
import { receiptFrom, type Receipt } from './receipt.ts'
import { serviceErrorOf } from '../http/refusal.ts'

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

export interface ExecuteOptions extends CallOptions {
  /** For a write, 1 to 255 characters: keep it, and send the same again with it when in doubt. */
  readonly idempotencyKey?: string | undefined
  /** Absent: a write that is in progress is not sent again. */
  readonly resendInProgress?: Resend | undefined
}

/** An operation that the key may use, as discovery lists it. */
export interface DiscoveredOperation {
  readonly id: string
  /** Null where discovery shows none in a place that the dialect knows. */
  readonly inputSchema: InputSchema | null
  /** The row as it came. */
  readonly body: JsonObject
}

export interface Operating {
  readonly transport: Transport
  readonly dialect: Dialect
  readonly catalogue: Catalogue
}

/** What was answered to a read. Rejects with `ServiceError` where it was refused. */
export async function readFrom(
  transport: Transport,
  path: string,
  { signal }: CallOptions,
): Promise<unknown> {
  const answer = await transport.ask({ method: 'GET', path, signal })
  if (!isSuccess(answer)) throw serviceErrorOf(answer)
  return answer.body
}

/** The same, of what has to be an object. */
export async function readObject(
  transport: Transport,
  path: string,
  options: CallOptions,
): Promise<JsonObject> {
  const body = await readFrom(transport, path, options)
  if (isObject(body)) return body
  throw new NoAnswer(`The answer to GET ${path} is no JSON object.`, 'Ask whoever runs the service.')
}

/** Far more than a catalog has. */
const mostPages = 1_000

/** An operation as a row of discovery; `id` is the name of its member where the operations are members of an object. */
interface Row {
  readonly id?: string
  readonly body: unknown
}

/** Of a page: a list comes before an object, and the page itself is no such object but where nothing else is named. */
function rowsOf(page: unknown, pointers: readonly string[]): Row[] | undefined {
  const list = firstAt(pointers, page, isJsonArray)
  if (list) return list.map((body) => ({ body }))
  const deeper = pointers.length === 1 ? pointers : pointers.filter((pointer) => pointer !== '')
  const members = firstAt(deeper, page, isObject)
  return members && Object.entries(members).map(([id, body]) => ({ id, body }))
}

/** Each row of every page, in their order. A cursor that came before leads nowhere new. */
async function discoveredRows(
  { transport, dialect }: Operating,
  options: CallOptions,
): Promise<readonly Row[]> {
  const { list, cursor, cursorParameter } = dialect.discovery
  const path = '/api/v1/operations'
  const found: Row[] = []
  const seen = new Set<string>()
  for (let query = ''; ;) {
    const page = await readFrom(transport, `${path}${query}`, options)
    const rows = rowsOf(page, list)
    if (!rows)
      throw new UnknownShape(
        `The answer to GET ${path} has no list at any of ${JSON.stringify(list)}.`,
        'Say in `dialect.discovery.list` where it has one.',
      )
    found.push(...rows)
    const next = firstAt(cursor, page, isId)
    if (next === undefined || seen.has(String(next))) return found
    if (seen.size === mostPages)
      throw new NoAnswer(
        `GET ${path} has more than ${mostPages} pages.`,
        'Ask whoever runs the service: each page names another one behind it.',
      )
    seen.add(String(next))
    query = `?${cursorParameter}=${encodeURIComponent(next)}`
  }
}

export async function discoverOperations(
  operating: Operating,
  options: CallOptions,
): Promise<readonly DiscoveredOperation[]> {
  const { id, schema } = operating.dialect.discovery
  const rows = await discoveredRows(operating, options)
  return rows.flatMap(({ id: member, body }) => {
    if (!isObject(body)) return []
    const found = member ?? firstAt(id, body, isId)
    const inputSchema = firstAt(schema, body, isObject) ?? null
    return found === undefined ? [] : [{ id: String(found), inputSchema, body }]
  })
}

function bodyOf(input: unknown, key: string | undefined, { execution }: Dialect): string {
  const body = placed({}, execution.input, input)
  const isAlone = execution.key === null || key === undefined || !isObject(body)
  return JSON.stringify(isAlone ? body : placed(body, execution.key, key))
}

export async function executeOperation(
  { transport, dialect, catalogue }: Operating,
  operationId: string,
  input: unknown,
  { idempotencyKey, resendInProgress, signal }: ExecuteOptions,
): Promise<Receipt> {
  const path = `/api/v1/operation-executions/${segment('operationId', operationId)}`
  if (!Object.hasOwn(catalogue.operations, operationId))
    throw new InvalidCall(
      `The operation ${JSON.stringify(operationId)} is not in the catalogue of this client, of the contract ${catalogue.contract}.`,
      'Upgrade the package, or hand a newer `catalogue` to the client.',
    )
  if (input === undefined)
    throw new InvalidCall(
      '`input` is missing.',
      'Give what the input schema asks for; `{}` where it asks for nothing.',
    )
  if (idempotencyKey !== undefined) checkKey('idempotencyKey', idempotencyKey)
  const body = bodyOf(input, idempotencyKey, dialect)
  const { keyHeader } = dialect.execution
  const ask: ServiceRequest = { method: 'POST', path, body, idempotencyKey, keyHeader, signal }
  return resending(() => receiptTo(transport, ask, dialect), resendInProgress, signal)
}

export async function receiptTo(
  transport: Transport,
  ask: ServiceRequest,
  dialect: Dialect,
): Promise<Receipt> {
  return receiptFrom(await transport.ask(ask), dialect)
}
