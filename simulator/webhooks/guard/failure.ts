/** Words for a POST that got no answer. They say nothing of what the endpoint sent. */
import { Blocked } from './connect.ts'
import type { Posted } from './guard.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The name of the host does not resolve.',
  EAI_AGAIN: 'The name of the host could not be resolved for now.',
  ECONNREFUSED: 'The endpoint refused the connection.',
  ECONNRESET: 'The endpoint reset the connection before it answered.',
  EHOSTUNREACH: 'There is no way to the host.',
  ENETUNREACH: 'There is no way to the network of the host.',
  ETIMEDOUT: 'No connection could be made in time.',
  UND_ERR_CONNECT_TIMEOUT: 'No connection could be made in time.',
  UND_ERR_SOCKET: 'The connection broke before the endpoint answered.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too long.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The answer is not HTTP.',
  // What undici makes of a status under 100.
  ERR_ASSERTION: 'The answer is not HTTP.',
  UND_ERR_DESTROYED: 'The sender was closed.',
  UND_ERR_CLOSED: 'The sender was closed.',
}

export function failedPost(kind: NonNullable<Posted['failure']>['kind'], reason: string): Posted {
  return { status: null, location: null, failure: { kind, reason } }
}

export function postFailureOf(error: unknown): Posted {
  if (error instanceof Blocked) return failedPost('blocked', error.message)
  return failedPost('unreachable', reasonOf(error instanceof Error ? error : new Error(String(error))))
}

function reasonOf({ name, code = '', message }: NodeJS.ErrnoException): string {
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined
  if (reason !== undefined) return reason
  if (name === 'HTTPParserError') return 'The answer is not HTTP.'
  if (/^UND_ERR_(INVALID_ARG|NOT_SUPPORTED|REQ_CONTENT_LENGTH_MISMATCH)$/.test(code))
    return `The request cannot be written as HTTP: ${message}.`
  if (/CERT|SELF_SIGNED|VERIFY|^ERR_(SSL|TLS)/.test(code))
    return `The certificate or TLS of the endpoint failed: ${code}. NODE_EXTRA_CA_CERTS names further authorities.`
  return `The connection failed: ${code || message}.`
}
