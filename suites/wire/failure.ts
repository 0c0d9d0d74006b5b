/** What went wrong on the wire, in the words of an exchange. */
import type { FailureKind } from './exchange.ts'

export interface Failure {
  kind: FailureKind
  message: string
}

/** Beginnings of error codes and messages that mean the bytes received are not HTTP/1.1 as we can read it. */
const notHttp = [
  'HPE_',
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_EXCEEDED_MAX_SIZE',
  'bad response',
  'bad upgrade',
]
const unsendable = ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH']

/** The request itself cannot be written as HTTP: the fault of whoever asked for it, never of the target. */
export function isUnsendable(error: Error): boolean {
  return unsendable.includes(codeOf(error))
}

/**
 * Before the first byte was sent no connection came about: `refused`, whatever kept it. After it, either the
 * bytes were not HTTP, or the connection ended before the answer did.
 */
export function failureOf(error: Error, started: boolean): Failure {
  const signs = [codeOf(error), error.message]
  const message = describe(error)
  if (!started) return { kind: 'refused', message }
  const broken = notHttp.some((begin) => signs.some((sign) => sign.startsWith(begin)))
  return { kind: broken ? 'protocol' : 'reset', message }
}

/** With several addresses tried there are several errors and an empty message; the parts are told then. */
function describe(error: Error): string {
  const parts: readonly unknown[] = error instanceof AggregateError ? error.errors : []
  const told = parts.filter((part) => part instanceof Error).map((part) => part.message)
  const message = told.length > 0 ? told.join('; ') : error.message
  const code = codeOf(error)
  return code === '' || message.includes(code) ? message : `${message} (${code})`
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
