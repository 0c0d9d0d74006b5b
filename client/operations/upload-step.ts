/** One request of an upload, put together as the dialect has it. */
import type { UploadStep } from '../options/dialect.ts'
import { placed } from '../json.ts'
import type { ServiceRequest } from '../http/transport.ts'

export interface StepValues {
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

export function uploadRequestOf(step: UploadStep, values: StepValues): ServiceRequest {
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
