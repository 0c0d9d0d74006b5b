/**
 * Exchanges as lines of NDJSON, and back. A body is its text where it is UTF-8, else base64; a large one may be in a file
 * of its own, with its digest in its place.
 */
import { decode, errorMessage } from '../text.ts'
import { releasedChunk } from '../chunks.ts'
import type { Chunk, Exchange, Received, SentRequest } from '../exchange.ts'
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

/** Stored bodies. Both throw if one is missing or its digest differs. */
export interface StoredBodies {
  /** Reads it without holding it. */
  check(kept: Kept): void
  /** `inPassing`: in a buffer that the next call overwrites, so that it leaves no garbage. */
  read(kept: Kept, inPassing?: boolean): Uint8Array
}

const keepNone: StoreBody = () => null
const noneBeside = ({ evidence }: Kept): never => {
  throw new Error(`it points to the evidence ${evidence}, and there is none beside it`)
}
const noEvidence: StoredBodies = { check: noneBeside, read: noneBeside }

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

/** Throws for what is no exchange, saying which member is wrong, and for a stored body that cannot be read. */
export function fromPlain(value: unknown, evidence: StoredBodies = noEvidence): Exchange {
  const problem = exchangeProblem(value)
  if (problem !== null) throw new Error(problem.trim())
  checkStored(value as PlainExchange, evidence)
  return fromChecked(value as PlainExchange, evidence)
}

/** Throws for a stored body that is missing or was altered. */
export function checkStored({ request, response }: PlainExchange, evidence: StoredBodies): void {
  for (const { body } of [request, ...(response?.chunks ?? [])])
    if (typeof body !== 'string' && 'evidence' in body) evidence.check(body)
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
export type PlainExchange = Omit<Exchange, 'request' | 'response'> & {
  request: Omit<SentRequest, 'body'> & { body: Stored }
  response: PlainReceived | null
}

export type PlainReceived = Omit<Received, 'chunks'> & { chunks: readonly { at: number; body: Stored }[] }

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
  'insteadOf',
  'withheld',
  'inbound',
])

/**
 * Of what fits its schema. Members stay in the order of the line, so that it is written again as it was. Stored reads
 * of a response are read when they are asked for.
 */
export function fromChecked(plain: PlainExchange, evidence: StoredBodies): Exchange {
  const { request, response } = plain
  return {
    ...judgedMembers(plain),
    request: { ...request, body: bytesOf(request.body, evidence) },
    response: response && receivedOf(response, evidence),
  }
}

export function receivedOf(response: PlainReceived, evidence: StoredBodies): Received {
  return { ...response, chunks: response.chunks.map(({ at, body }) => chunkOf(at, body, evidence)) }
}

export function judgedMembers(plain: PlainExchange): PlainExchange {
  const all = Object.entries(plain)
  const judged = all.filter(([name]) => members.has(name))
  return judged.length === all.length ? plain : (Object.fromEntries(judged) as unknown as PlainExchange)
}

function chunkOf(at: number, body: Stored, evidence: StoredBodies): Chunk {
  return typeof body !== 'string' && 'evidence' in body
    ? releasedChunk(at, body.bytes, (inPassing) => evidence.read(body, inPassing))
    : { at, bytes: bytesOf(body, evidence) }
}

const utf8 = new TextEncoder()

function bytesOf(body: Stored, evidence: StoredBodies): Uint8Array {
  if (typeof body === 'string') return utf8.encode(body)
  if ('evidence' in body) return evidence.read(body)
  return new Uint8Array(Buffer.from(body.base64, 'base64'))
}
