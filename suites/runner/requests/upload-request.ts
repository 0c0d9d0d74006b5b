/** From what a scenario says to the bytes that are sent: one step of an upload, as the target file describes it. */
import { put } from '../../assertions/pointer.ts'
import { uploadIdOf } from '../../operations/assertions/pointers/pointer-receipt.ts'
import type { Pointer, UploadStep } from '../../config/dialect.ts'
import { fillTemplate } from '../../config/template.ts'
import type { Header } from '../../wire/exchange.ts'
import type { Outgoing } from '../../wire/recorder.ts'
import { stopped } from '../../scenario/ending.ts'
import { jsonType, keyHeader, request } from './execution-request.ts'
import type { UploadRequest } from '../../scenario/operations-driver.ts'
import type { Json } from '../../wire/json.ts'
import type { RequestDefaults } from './request.ts'
import type { Setting } from '../../scenario/setting.ts'

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
  const values: readonly (readonly [Pointer | undefined, Json])[] = [
    [step.fileName, asked.fileName ?? ''],
    [step.contentType, contentType],
    [step.size, bytes.length],
    [step.bytes === '' ? undefined : step.bytes, Buffer.from(bytes).toString('base64')],
    [step.uploadId, id],
    [step.key, key],
    [step.otherKey, otherKey],
  ]
  const fixed = fillTemplate(step.members ?? {}, { agentId: setting.agent }) as Json
  const members = values.reduce<Json>(
    (body, [at, value]) => (at === undefined ? body : put(body, at, value)),
    fixed,
  )
  const isRaw = step.bytes === ''
  const headers: readonly Header[] = [
    isRaw ? ['Content-Type', contentType] : jsonType,
    ...(step.key === undefined ? [[step.keyHeader ?? keyHeader, key] as const] : []),
    ...(step.otherKeyHeader === undefined ? [] : [[step.otherKeyHeader, otherKey] as const]),
  ]
  const query = isRaw ? queryOf(fixed) : ''
  const path = `${step.path.replaceAll(idMark, encodeURIComponent(id))}${query}`
  const body = isRaw ? bytes : JSON.stringify(members)
  return request(
    name,
    { method: step.method ?? 'POST', path, body, headers },
    asked,
    setting,
    requestDefaults,
  )
}

function queryOf(members: Json): string {
  const texts = Object.entries(members ?? {}).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return texts.length === 0 ? '' : `?${new URLSearchParams(texts).toString()}`
}

const idMark = '{uploadId}'

function idFor({ prepared, kind }: UploadRequest, before: UploadStep | undefined): string {
  const id = prepared && uploadIdOf(prepared, before?.id)
  if (typeof id === 'string') return id
  const where = prepared ? `\`${prepared.name}\` shows no id of an upload` : 'no step before it was answered'
  throw stopped(`${where}; declare where one stands as \`dialect.uploads.${kind}.prepare.id\``)
}
