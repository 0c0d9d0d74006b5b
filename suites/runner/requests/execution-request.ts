/** From what a scenario says to the bytes that are sent: every request to the routes of operations is built here. */
import type { Dialect } from '../../config/dialect.ts'
import type { Header } from '../../wire/exchange.ts'
import type { Outgoing } from '../../wire/recorder.ts'
import { put } from '../../assertions/pointer.ts'
import type { ExecuteRequest, ReadRequest } from '../../scenario/operations-driver.ts'
import type { Json } from '../../wire/json.ts'
import { jsonBytes, overlaid, placeOf, principalOf, senderOf, type RequestDefaults } from './request.ts'
import type { Setting } from '../../scenario/setting.ts'

/** Where the body of an execution carries its input, as a JSON pointer. */
export type ExecutionEnvelope = string

/** What an execution carries; a null key is not sent. */
export interface Carried {
  id: string
  input: Json
  key: string | null
  envelope: ExecutionEnvelope
}

export const keyHeader = 'Idempotency-Key'

/** A GET without a body. */
export function readRequest(
  name: string,
  path: string,
  asked: ReadRequest,
  setting: Setting,
  requestDefaults: RequestDefaults,
): Outgoing {
  return request(name, { method: 'GET', path, body: '', headers: [] }, asked, setting, requestDefaults)
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
  return request(name, sent, asked, setting, requestDefaults)
}

export const jsonType: Header = ['Content-Type', 'application/json']

interface Sent {
  method: string
  path: string
  body: string | Uint8Array
  headers: readonly Header[]
}

export function request(
  name: string,
  { method, path, body, headers: own }: Sent,
  asked: ReadRequest,
  setting: Setting,
  { scenario, userAgent }: RequestDefaults,
): Outgoing {
  const sender = senderOf(asked, setting)
  const ordinary: readonly Header[] = [
    ...(sender ? [['Authorization', `Bearer ${sender.bearer}`] as const] : []),
    ...own,
    ['User-Agent', userAgent],
  ]
  const headers = overlaid(ordinary, asked)
  return {
    scenario,
    name,
    method,
    path,
    headers,
    body: jsonBytes(body),
    principal: principalOf(headers, setting),
    ...placeOf(asked.replica ?? 0, setting),
    timeouts: asked.timeouts,
  }
}
