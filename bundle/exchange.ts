/** One request and everything that came back, as raw bytes with times. Plain data: it can be written and read again. */

import type { Identifiers } from '../spec/identifiers.ts'

export type Header = readonly [name: string, value: string]

export interface SentRequest {
  method: string
  /** Path and query as sent, below the base address of the target. */
  path: string
  /**
   * In the order and casing sent, values byte for byte as Latin-1; the secret of a principal included, so redact
   * before disk. `host`, `connection` and `content-length` are not listed: the HTTP client writes them.
   */
  headers: readonly Header[]
  body: Uint8Array
  /** The body went out in two writes, a little apart: so many bytes first. Absent: in one. */
  splitAt?: number
  /** Name of the principal whose credentials were used, if any; with `#2` and so on for a further key of it. */
  principal: string | null
  /** The further base address of the deployment that it went to; absent: the first. */
  replica?: string
}

export interface Chunk {
  /** Milliseconds since the run began. */
  at: number
  bytes: Uint8Array
}

export interface Received {
  status: number
  /** The version of HTTP that was spoken; absent: 1.1. */
  http?: 2 | 3
  /** In the order and casing received. */
  headers: readonly Header[]
  /** Milliseconds since the run began at which the headers were complete. */
  at: number
  /** One entry per network read. */
  chunks: readonly Chunk[]
  /** Whether the body ended as its framing promises. */
  complete: boolean
}

export const failures = ['refused', 'reset', 'timeout', 'aborted', 'protocol', 'budget', 'cut'] as const
/**
 * Why nothing, or not all, came back. `aborted`: we went away on purpose. `timeout`: the time allowed ran out.
 * `budget`: the request was never sent, because a cap of the run was reached. `cut`: such a cap was reached while the
 * response was received.
 */
export type FailureKind = (typeof failures)[number]

/** What is known of a request that came in. `sentAt` of its exchange is when its headers were complete. */
export interface Inbound {
  /** The place at our receiver that it came to. */
  place: string
  /** Milliseconds on the clock of the target since the run began, where that clock is advanced by the run. */
  targetAt: number
  /** The same of its end. */
  targetEndedAt?: number
  /** The body was larger than is kept; what is there is its beginning. */
  cut?: true
  /** Our receiver had no processor for seconds meanwhile: its times are not those of the target. */
  stalled?: true
}

export type Signing =
  | 'right'
  | 'unexplained'
  | 'a digest keyed with nothing'
  | 'a digest keyed with the part of the secret after its prefix'
  | 'a digest keyed with the secret decoded from base64'
  | 'a digest keyed with the part after the prefix, decoded from base64'
  | 'a digest keyed with the secret decoded from hexadecimal'
  | 'a digest keyed with the part after the prefix, decoded from hexadecimal'
  | 'a digest over the body parsed and written again'
  | 'a digest over the body written again with indents'
  | 'a digest over the body written again in ASCII'
  | 'a digest over the payload alone'
  | 'a digest over the body read as Latin-1'
  | 'a digest over the body with a line feed'
  | 'a digest over nothing'
  | 'a digest over the body of the first attempt'
  | 'an HMAC-SHA1'
  | 'an HMAC-SHA512'
  | 'an HMAC-MD5'
  | 'the right digest in base64'
  | 'the right digest in base64 for URLs'
  | 'the right digest without the leading zeros of its bytes'
  | 'the right digest without its leading zeros'

/** What the secret of a webhook shows of a signature, computed before the secret was redacted. */
export interface SignatureFact {
  /** The secret as it stands in the response to the creation. */
  secret: string
  is: Signing
}

export interface Exchange {
  /** Counts from 1 within a run, in the order sent. */
  id: number
  scenario: string
  name: string
  request: SentRequest
  /** Milliseconds since the run began at which the first byte was sent. */
  sentAt: number
  /** Milliseconds since the run began at which the answer ended or was given up. */
  endedAt: number
  response: Received | null
  failure: { kind: FailureKind; message: string } | null
  /**
   * The same bytes went out twice: a kept connection turned out to be closed before any byte of the answer came.
   * `sentAt` is the first sending, so the target may have seen the request at any time since.
   */
  resent?: true
  /** The id of an exchange that came too early, for a rate limit or for what it should show: this one counts in its place. */
  insteadOf?: number
  /** It came in: the target sent the request to our receiver, and the response is what we answered. */
  inbound?: Inbound
  /** A body contained a secret in an encoding that cannot be redacted, so it was withheld whole. */
  withheld?: true
  /** Of a delivery. */
  signatures?: readonly SignatureFact[]
  /** Where a judge finds the code of an error in the body, as a JSON pointer; absent: in any text. Never recorded. */
  codeAt?: string
  /** Refused in each of so many attempts, while others were accepted: the refusal is judged. Never recorded. */
  recurred?: number
  /** As the service under test writes the exact identifiers; absent: as the contract does. Never recorded. */
  identifiers?: Identifiers
}
