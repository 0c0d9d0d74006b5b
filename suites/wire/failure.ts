/** What went wrong on the wire, in the words of an exchange. */
import type { FailureKind } from './exchange.ts'

export interface Failure {
  kind: FailureKind
  message: string
}

/** Names and messages of errors that mean the bytes received are not HTTP/1.1 as we can read it. */
const notHttp = /^(?:HTTPParserError|HeadersOverflowError|bad response|bad upgrade)/
/** The parser's word for a connection that ended inside an answer. */
const brokeOff = /EOF/
const unsendable = ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH']

/** The response is HTTP with a header that cannot be read: the target is there. */
export function isUnreadableHeader({ kind, message }: Failure): boolean {
  return kind === 'protocol' && /header/i.test(message)
}

/** The request itself cannot be written as HTTP: the fault of the caller, never of the target. */
export function isUnsendable(error: Error): boolean {
  return unsendable.includes(codeOf(error))
}

const certificates: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired; renew it',
  CERT_NOT_YET_VALID: 'is not valid yet; check the clocks',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name; use an address that it names',
}
const untrusted = /SELF_SIGNED_CERT|UNABLE_TO_(?:GET_ISSUER|VERIFY)|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE/

/** What is wrong with the certificate that was shown, as the predicate of a sentence; null for any other failure. */
export function certificateProblem({ message }: Failure): string | null {
  const code = /\((\w+)\)$/.exec(message)?.[1] ?? ''
  const words = untrusted.test(code)
    ? 'is not trusted; name its CA as target.tls.caFile in a target file, or in NODE_EXTRA_CA_CERTS'
    : certificates[code]
  return words === undefined ? null : `the certificate ${words} (${message})`
}

/** How far an exchange had come: no byte sent, no headers received, or in the body. */
export type AttemptPhase = 'connecting' | 'waiting' | 'answering'

/**
 * Before the first byte was sent there was no connection: `refused`, for whatever reason. After it, either the
 * bytes were not HTTP, or the connection ended before the answer did. A connection that we closed is neither.
 */
export function failureOf(error: Error, phase: AttemptPhase): Failure {
  const message = describe(error)
  if (codeOf(error) === 'UND_ERR_DESTROYED') return { kind: 'aborted', message: 'the recorder was closed' }
  if (phase === 'connecting') return { kind: 'refused', message }
  const strange = [error.name, error.message].some((sign) => notHttp.test(sign))
  // A length is only missed in a body; before it, the client's parser means that it could not read the headers.
  const lengths = phase === 'waiting' && codeOf(error) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
  return { kind: lengths || (strange && !brokeOff.test(message)) ? 'protocol' : 'reset', message }
}

/** With several addresses tried there are several errors and an empty message; the message then joins the parts. */
function describe(error: Error): string {
  const parts: readonly unknown[] = error instanceof AggregateError ? error.errors : []
  const messages = parts.filter((part) => part instanceof Error).map((part) => part.message)
  const message = messages.length > 0 ? messages.join('; ') : error.message
  const code = codeOf(error)
  return code === '' || message.includes(code) ? message : `${message} (${code})`
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
