/**
 * Exchanges as lines of NDJSON, and back. A body is its text where it is UTF-8, else base64; a large one may be in a file
 * of its own, with its digest in its place.
 */
import { decode, errorMessage } from '../text.ts'
import type { Exchange, Received, SentRequest } from '../exchange.ts'
import { parseJson } from '../json.ts'
import { exchangeProblem } from '../schema/problem.ts'

/** Bytes in a file that is named by their SHA-256, in hex. */
export interface Kept {
  evidence: string
  bytes: number
}

type Stored = string | { base64: string } | Kept

/** Stores a body outside its line; null for one that stays in it. */
export type StoreBody = (bytes: Uint8Array) => Kept | null

/** Reads a stored body. Throws if it is missing or its digest differs. */
export type Fetch = (kept: Kept) => Uint8Array

const keepNone: StoreBody = () => null
const fetchNone: Fetch = ({ evidence }) => {
  throw new Error(`it points to the evidence ${evidence}, and there is none beside it`)
}

/** One line, without its end. Redact the exchange first. */
export function toLine(exchange: Exchange): string {
  return JSON.stringify(toPlain(exchange))
}

/** The exchange as it stands in a line. Redact it first. */
export function toPlain(exchange: Exchange, keep: StoreBody = keepNone): object {
  const { identifiers: _, ...recorded } = exchange
  const { request, response } = recorded
  return {
    ...recorded,
    request: { ...request, body: stored(request.body, keep) },
    response: response && {
      ...response,
      chunks: response.chunks.map(({ at, bytes }) => ({ at, body: stored(bytes, keep) })),
    },
  }
}

/** Throws for a line that is no exchange, saying which member is wrong. */
export function fromLine(line: string): Exchange {
  const parsed = parseJson(line)
  if (!parsed.ok) throw new Error(`it is not JSON: ${parsed.why}`)
  return fromPlain(parsed.value)
}

/** Throws for what is no exchange, saying which member is wrong. */
export function fromPlain(value: unknown, fetch: Fetch = fetchNone): Exchange {
  const problem = exchangeProblem(value)
  if (problem !== null) throw new Error(problem.trim())
  return exchangeOf(value as Plain, fetch)
}

export function writeJournal(exchanges: readonly Exchange[]): string {
  return exchanges.map((exchange) => `${toLine(exchange)}\n`).join('')
}

/** Throws with the number of the first line that is no exchange. */
export function readJournal(text: string): readonly Exchange[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line, i) => {
    try {
      return fromLine(line)
    } catch (error) {
      const why = errorMessage(error)
      throw new Error(`line ${i + 1} of the journal is no exchange: ${why}`, { cause: error })
    }
  })
}

function stored(bytes: Uint8Array, keep: StoreBody): Stored {
  const kept = keep(bytes)
  if (kept) return kept
  const { valid, text } = decode(bytes)
  return valid ? text : { base64: Buffer.from(bytes).toString('base64') }
}

/** An exchange as it is in a line, once its schema was checked. */
type Plain = Omit<Exchange, 'request' | 'response'> & {
  request: Omit<SentRequest, 'body'> & { body: Stored }
  response: (Omit<Received, 'chunks'> & { chunks: readonly { at: number; body: Stored }[] }) | null
}

/** Judges read these only: another member of a line is dropped. */
const members: ReadonlySet<string> = new Set<keyof Exchange>([
  'id',
  'scenario',
  'name',
  'sentAt',
  'endedAt',
  'request',
  'response',
  'failure',
  'resent',
  'withheld',
  'inbound',
])

/** Members stay in the order of the line, so that it is written again as it was. */
function exchangeOf(plain: Plain, fetch: Fetch): Exchange {
  const { request, response } = plain
  const exchange: Exchange = {
    ...plain,
    request: { ...request, body: bytesOf(request.body, fetch) },
    response: response && {
      ...response,
      chunks: response.chunks.map(({ at, body }) => ({ at, bytes: bytesOf(body, fetch) })),
    },
  }
  return Object.fromEntries(
    Object.entries(exchange).filter(([name]) => members.has(name)),
  ) as unknown as Exchange
}

function bytesOf(body: Stored, fetch: Fetch): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if ('evidence' in body) return fetch(body)
  return new Uint8Array(Buffer.from(body.base64, 'base64'))
}
