/** From what a scenario says to the bytes that are sent: every request to the routes of operations is built here. */
import { createHash } from 'node:crypto'
import type { Dialect, Pointer, UploadStep } from '../../config/dialect.ts'
import { type Header, type Json, type Exchange, member } from '../../wire/exchange.ts'
import type { Outgoing } from '../../wire/recorder.ts'
import { put } from '../../assertions/pointer.ts'
import type { ExecuteRequest, ReadRequest, UploadRequest } from '../../scenario/operations-driver.ts'
import { jsonType, outgoing, type RequestDefaults } from './request.ts'
import type { Setting } from '../../scenario/scenario.ts'
import { uploadIdOf } from '../../operations/assertions/pointers/pointer-receipt.ts'
import { fillTemplate } from '../../config/template.ts'
import { stopped, notExercised } from '../../scenario/ending.ts'
import type { OperationFixture, Target } from '../../config/target.ts'

/** Where the body of an execution carries its input, as a JSON pointer. */
export type ExecutionEnvelope = string

export interface Carried {
  id: string
  input: Json
  key: string | null
  envelope: ExecutionEnvelope
}

export const keyHeader = 'Idempotency-Key'

export function readRequest(
  name: string,
  path: string,
  asked: ReadRequest,
  setting: Setting,
  requestDefaults: RequestDefaults,
): Outgoing {
  return outgoing(name, { method: 'GET', path, body: '', headers: [] }, asked, setting, requestDefaults)
}

export function executionRequest(
  name: string,
  { id, input, key, envelope }: Carried,
  asked: ExecuteRequest,
  { execution = {} }: Dialect,
  setting: Setting,
  requestDefaults: RequestDefaults,
): Outgoing {
  const { key: keyAt, keyHeader: header = keyHeader } = execution
  const wrapped = put({}, envelope, input)
  const keyed = key === null || keyAt === undefined ? wrapped : put(wrapped, keyAt, key)
  const body = asked.beside ? put(keyed, '', { ...Object(keyed), ...asked.beside }) : keyed
  const headers: readonly Header[] = [
    jsonType,
    ...(key === null || keyAt !== undefined ? [] : [[header, key] as const]),
  ]
  const path = `/api/v1/operation-executions/${encodeURIComponent(id)}`
  const sent = { method: 'POST', path, body: asked.raw ?? JSON.stringify(body), headers }
  return outgoing(name, sent, asked, setting, requestDefaults)
}

/** `before`: the step whose answer has the id. Ends the scenario where an id is wanted and that answer has none. */
export function uploadRequest(
  name: string,
  asked: UploadRequest,
  step: UploadStep,
  before: UploadStep | undefined,
  setting: Setting,
  requestDefaults: RequestDefaults,
): Outgoing {
  const { key, otherKey = '', contentType = 'application/octet-stream', bytes = new Uint8Array() } = asked
  const wantsId = step.uploadId !== undefined || step.path.includes(idMark)
  const id = wantsId ? idFor(asked, before) : ''
  const isRaw = step.bytes === ''
  const isFile = isRaw || step.multipart === true
  const values: readonly (readonly [Pointer | undefined, Json])[] = [
    [step.fileName, asked.fileName ?? ''],
    [step.contentType, contentType],
    [step.size, bytes.length],
    [isFile ? undefined : step.bytes, Buffer.from(bytes).toString('base64')],
    [step.uploadId, id],
    [step.key, key],
    [step.otherKey, otherKey],
  ]
  const fixed = fillTemplate(step.members ?? {}, { agentId: setting.agent }) as Json
  const members = values.reduce<Json>(
    (body, [at, value]) => (at === undefined ? body : put(body, at, value)),
    fixed,
  )
  const form = step.multipart ? formOf(members, step.bytes, { ...asked, contentType }) : null
  const headers: readonly Header[] = [
    form ? ['Content-Type', form.type] : isRaw ? ['Content-Type', contentType] : jsonType,
    ...(step.key === undefined ? [[step.keyHeader ?? keyHeader, key] as const] : []),
    ...(step.otherKeyHeader === undefined ? [] : [[step.otherKeyHeader, otherKey] as const]),
  ]
  const query = isRaw ? queryOf(fixed) : ''
  const path = `${step.path.replaceAll(idMark, encodeURIComponent(id))}${query}`
  const body = form?.body ?? (isRaw ? bytes : JSON.stringify(members))
  return outgoing(
    name,
    { method: step.method ?? 'POST', path, body, headers },
    asked,
    setting,
    requestDefaults,
  )
}

function queryOf(members: Json): string {
  const texts = textsOf(members)
  return texts.length === 0 ? '' : `?${new URLSearchParams(texts).toString()}`
}

const textsOf = (members: Json): [name: string, text: string][] =>
  Object.entries(members ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])

/** The members as fields, then the bytes as a file: what is sent again has the same bytes. */
function formOf(
  members: Json,
  at: Pointer = '/file',
  { fileName = '', contentType, bytes = new Uint8Array() }: UploadRequest,
) {
  const mark = `touchstone-${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}`
  const called = fileName.replaceAll(/["\r\n]/g, encodeURIComponent)
  const file = `"${at.slice(1)}"; filename="${called}"\r\nContent-Type: ${contentType}`
  const parts = textsOf(members).map(([name, text]) => [`"${name}"`, Buffer.from(text)] as const)
  const body = [...parts, [file, bytes] as const].flatMap(([head, content]) => [
    Buffer.from(`--${mark}\r\nContent-Disposition: form-data; name=${head}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ])
  return {
    type: `multipart/form-data; boundary=${mark}`,
    body: Buffer.concat([...body, Buffer.from(`--${mark}--\r\n`)]),
  }
}

const idMark = '{uploadId}'

function idFor({ prepared, kind }: UploadRequest, before: UploadStep | undefined): string {
  const id = prepared && uploadIdOf(prepared, before?.id)
  if (typeof id === 'string') return id
  const where = prepared ? `\`${prepared.name}\` shows no id of an upload` : 'no step before it was answered'
  throw stopped(`${where}; declare where one stands as \`dialect.uploads.${kind}.prepare.id\``)
}

/** In this order: the first that a read is not refused with counts. */
const envelopes: readonly ExecutionEnvelope[] = ['/input', '', '/arguments']

/** Reads that are tried, one after the other, as long as the key may not execute them. */
const readsMost = 3

export const searchMost = readsMost - 1 + envelopes.length

type EnvelopeProbe = (read: OperationFixture, envelope: ExecutionEnvelope) => Promise<Exchange>

export type EnvelopeSearch = (probe: EnvelopeProbe) => Promise<ExecutionEnvelope>

/** Remembers what it found, and searches again where it found nothing. */
export function createEnvelopeSearch(
  declared: ExecutionEnvelope | undefined,
  operations: readonly OperationFixture[],
): EnvelopeSearch {
  let found: Promise<ExecutionEnvelope> | undefined
  const reads = operations.filter(isRead).sort((a, b) => Number(hasInput(b)) - Number(hasInput(a)))
  return async (probe) => {
    if (declared !== undefined) return declared
    if (reads.length === 0) throw unknownEnvelope
    found ??= search(reads.slice(0, readsMost), probe)
    return found.catch((thrown: unknown) => {
      found = undefined
      throw thrown
    })
  }
}

const isRead = ({ write, receipt }: OperationFixture): boolean => !write && receipt === 'completed'

/** An input without members does not show where the target reads it. */
const hasInput = ({ input }: OperationFixture): boolean => JSON.stringify(input) !== '{}'

/** Neither is it declared, nor is there a read to find it out with. */
export function envelopeUnknown({ dialect, fixtures }: Pick<Target, 'dialect' | 'fixtures'>): boolean {
  return dialect.execution?.input === undefined && !fixtures.operations.some(isRead)
}

export const unknownEnvelope = notExercised(
  'fixture-missing',
  'nothing says how an execution wraps its input; declare `dialect.execution.input`, or a read under `fixtures.operations` to find it out with',
)

/** Whatever the wrapping: the key may not, or there is no such operation. */
const closed: readonly number[] = [401, 403, 404]

/** A receipt as declared settles it; else what is at least not refused. */
async function search(
  [read, ...others]: readonly OperationFixture[],
  probe: EnvelopeProbe,
): Promise<ExecutionEnvelope> {
  if (!read) throw unknownEnvelope
  let maybe: ExecutionEnvelope | undefined
  const statuses: number[] = []
  for (const envelope of envelopes) {
    const exchange = await probe(read, envelope)
    const { status } = exchange.response ?? { status: 0 }
    if (closed.includes(status) && others.length > 0) return search(others, probe)
    statuses.push(status)
    if (member(exchange, '/status') === read.receipt) return envelope
    if (status >= 200 && status < 300) maybe ??= envelope
  }
  if (maybe !== undefined) return maybe
  throw stopped(
    `the read ${read.name} was answered ${statuses.join(', ')}, however its input was wrapped; declare \`dialect.execution.input\``,
  )
}
