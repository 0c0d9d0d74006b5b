/** A file in two requests, each with a stable key of its own, or in one that carries both. */
import { bytesOf } from '../http/refusal.ts'
import { InvalidCall, UnknownShape } from '../errors.ts'
import type { UploadStep } from '../options/dialect.ts'
import { firstAt, isId, isObject, placed } from '../json.ts'
import { checkKey, isSuccess, type ServiceRequest } from '../http/transport.ts'
import { receiptTo, type CallOptions, type Operating } from './operations.ts'
import { receiptFrom, type Receipt } from './receipt.ts'

interface StepValues {
  readonly fileName: string
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Of this step. */
  readonly key: string
  /** Of the other one. */
  readonly otherKey: string
  /** Of the upload, as the step before answered it. */
  readonly id?: string | number | undefined
  readonly signal?: AbortSignal | undefined
}

const chunk = 0x8000

function base64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += chunk)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + chunk)))
  return btoa(parts.join(''))
}

/** What the body carries, with the place of each. */
function carried(step: UploadStep, values: StepValues): [pointer: string, value: unknown][] {
  const { fileName, contentType, bytes, key, otherKey, id } = values
  const places: readonly [string | undefined, unknown][] = [
    [step.fileName, fileName],
    [step.contentType, contentType],
    [step.size, bytes.length],
    [step.uploadId, id],
    [step.key, key],
    [step.otherKey, otherKey],
    [step.bytes === '' ? undefined : step.bytes, step.bytes ? base64(bytes) : ''],
  ]
  return places.flatMap(([pointer, value]) => (pointer === undefined ? [] : [[pointer, value]]))
}

function pathOf({ path, members, bytes }: UploadStep, { id, fileName }: StepValues): string {
  const filled = path
    .replaceAll('{uploadId}', () => encodeURIComponent(id ?? ''))
    .replaceAll('{fileName}', () => encodeURIComponent(fileName))
  if (bytes !== '' || !members) return filled
  const query = Object.entries(members).map(
    ([name, value]) =>
      `${encodeURIComponent(name)}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
  )
  return query.length === 0 ? filled : `${filled}${filled.includes('?') ? '&' : '?'}${query.join('&')}`
}

function bodyOf(step: UploadStep, values: StepValues): Pick<ServiceRequest, 'body' | 'contentType'> {
  if (step.bytes === '') return { body: values.bytes, contentType: values.contentType }
  const members = carried(step, values)
  if (members.length === 0 && !step.members) return {}
  const body = members.reduce<unknown>((whole, [at, value]) => placed(whole, at, value), step.members ?? {})
  return { body: JSON.stringify(body) }
}

function uploadRequestOf(step: UploadStep, values: StepValues): ServiceRequest {
  const { method = 'POST', key, keyHeader = key === undefined ? 'Idempotency-Key' : null } = step
  const { otherKeyHeader } = step
  return {
    method,
    path: pathOf(step, values),
    idempotencyKey: values.key,
    keyHeader,
    ...(otherKeyHeader !== undefined && { headers: { [otherKeyHeader]: values.otherKey } }),
    ...bodyOf(step, values),
    signal: values.signal,
  }
}

export interface Upload extends CallOptions {
  readonly fileName: string
  /** Such as `text/csv`. */
  readonly contentType: string
  readonly bytes: Uint8Array | ArrayBuffer
  /** Keep both keys: an upload that is tried again needs the same two. */
  readonly prepareKey: string
  readonly finalizeKey: string
}

function check({ fileName, contentType, bytes, prepareKey, finalizeKey }: Upload): Uint8Array<ArrayBuffer> {
  checkKey('prepareKey', prepareKey)
  checkKey('finalizeKey', finalizeKey)
  if (prepareKey === finalizeKey)
    throw new InvalidCall(
      '`prepareKey` and `finalizeKey` are the same.',
      'Use one for each step, and keep both.',
    )
  if (typeof fileName !== 'string' || fileName === '')
    throw new InvalidCall('`fileName` is missing.', 'Give the name of the file, without a folder.')
  if (typeof contentType !== 'string' || contentType === '')
    throw new InvalidCall('`contentType` is missing.', 'Give one such as `application/pdf` or `text/csv`.')
  const given = bytesOf(bytes)
  if (given) return Uint8Array.from(given)
  throw new InvalidCall('`bytes` are no bytes.', 'Give a Uint8Array or an ArrayBuffer.')
}

/** The receipt of the last step, or of the first where that did not come to its end. */
export async function uploadFile(
  { transport, dialect }: Operating,
  kind: 'document' | 'spreadsheet',
  file: Upload,
): Promise<Receipt> {
  const bytes = check(file)
  const { prepareKey, finalizeKey, signal } = file
  const { prepare, finalize } = dialect.uploads[kind]
  const keys = { key: finalizeKey, otherKey: prepareKey }
  if (!prepare) return receiptTo(transport, uploadRequestOf(finalize, { ...file, ...keys, bytes }), dialect)

  const first = uploadRequestOf(prepare, { ...file, bytes, key: prepareKey, otherKey: finalizeKey })
  const answer = await transport.ask(first)
  const pointers = [prepare.id ?? ['/data/uploadId', '/data/upload_id', '/data/id']].flat()
  const id = firstAt(pointers, answer.body, isId)
  // Some answer the first step with no receipt, as nothing is done yet: with an id they say all that is needed.
  const isPlain =
    isSuccess(answer) && id !== undefined && !(isObject(answer.body) && answer.body['status'] !== undefined)
  const prepared = isPlain ? null : receiptFrom(answer, dialect)
  if (prepared && prepared.status !== 'completed') return prepared
  if (id === undefined && (finalize.uploadId !== undefined || finalize.path.includes('{uploadId}')))
    throw new UnknownShape(
      `The prepared upload has no id at any of ${JSON.stringify(pointers)}.`,
      `Say in \`dialect.uploads.${kind}.prepare.id\` where the response has it; the same two keys go on with it.`,
    )
  return receiptTo(transport, uploadRequestOf(finalize, { ...file, ...keys, bytes, id, signal }), dialect)
}
