/** The request of an exchange as one that can be sent again. */
import type { Exchange } from '../state/exchanges.ts'
import type { ServiceRequest } from '../state/service.ts'
import { credentials } from '../state/tenant.ts'

/** What the journal does not have, or what differs each time: the idempotency key, and credentials. */
export interface Values {
  readonly key: string
  readonly apiKey: string
  readonly session: string
}

/** Of the connection or the trace, not of the request: what is sent again is another span. */
const connectionHeaders =
  /^(?:host|connection|content-length|accept|accept-encoding|accept-language|user-agent|origin|referer|sec-.*|priority|transfer-encoding|cache-control|pragma|trace(?:parent|state))$/i
export const keyHeaders = /^(?:x-)?idempotency-key$/i

/** Webhooks are managed with a session, everything else with an API key. */
export const needsSession = ({ path }: Pick<Exchange, 'path'>): boolean => path.startsWith('/api/agents/')

const redacted = /^\[redacted\]$|\[\[key:([\w-]+)\]\]/

/** Role of the API key that it was sent with, or a pseudonym of an unknown one; the token of a session is none. */
export const keyRoleOf = (one: Exchange): string | undefined =>
  one.request.headers
    .map(([, value = '']) => redacted.exec(value)?.[1])
    .find((role) => role !== undefined && !(needsSession(one) && role.startsWith('unknown-')))

function sentValues(one: Exchange): Values {
  const { keys = {}, sessions = {} } = credentials.peek() ?? {}
  const apiKey = keys[keyRoleOf(one) ?? ''] ?? keys['main'] ?? ''
  return { key: one.idempotencyKey ?? '', apiKey, session: sessions['main'] ?? '' }
}

/** The journal has no credentials: `values` are put in their place. */
export function requestOf(one: Exchange, values = sentValues(one)): ServiceRequest {
  const { method, path, request, idempotencyKey } = one
  const token = needsSession(one) ? values.session : values.apiKey
  const header = ([name = '', value = '']: readonly string[]): [string, string] => {
    if (keyHeaders.test(name) && value === idempotencyKey) return [name, values.key]
    if (!redacted.test(value)) return [name, value]
    return [name, name.toLowerCase() === 'cookie' ? `session=${values.session}` : `Bearer ${token}`]
  }
  return {
    method,
    path,
    headers: request.headers.filter(([name = '']) => !connectionHeaders.test(name)).map(header),
    body: request.body === '' ? null : withKey(request.body, values.key),
  }
}

/** The text is changed, and not parsed: the bytes of the rest stay as they were. */
export const withKey = (body: string, key: string): string =>
  body.replace(
    /("idempotency_key"\s*:\s*)"(?:[^"\\]|\\.)*"/,
    (_, name: string) => `${name}${JSON.stringify(key)}`,
  )
