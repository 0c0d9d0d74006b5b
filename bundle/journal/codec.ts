/**
 * Exchanges as lines of NDJSON, and back. A body is its text where it is UTF-8, else base64; a large one may be in a file
 * of its own, with its digest in its place.
 */
import { decode, errorMessage } from '../text.ts'
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

/** Gives a stored body. Throws if it is missing, or its digest or length differs. */
export type ReadBody = (kept: Kept) => Uint8Array

const keepNone: StoreBody = () => null
const noneBeside: ReadBody = ({ evidence }) => {
  throw new Error(`it points to the evidence ${evidence}, and there is none beside it`)
}

/** One line, without its end. Redact the exchange first. */
export function toLine(exchange: Exchange): string {
  return JSON.stringify(toPlain(exchange))
}

/** The exchange as it stands in a line. Redact it first. */
export function toPlain(exchange: Exchange, keep: StoreBody = keepNone): object {
  const { identifiers: _, codeAt: __, ...recorded } = exchange
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
export function fromPlain(value: unknown, read: ReadBody = noneBeside): Exchange {
  const problem = exchangeProblem(value)
  if (problem !== null) throw new Error(problem.trim())
  return fromChecked(value as PlainExchange, read)
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
  response: (Omit<Received, 'chunks'> & { chunks: readonly { at: number; body: Stored }[] }) | null
}

/** Judges read these only: another member of a line is dropped. */
const judged: ReadonlySet<string> = new Set<keyof Exchange>([
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
  'signatures',
  'inbound',
])

/** Characters of the headers of a message: twice what is received. */
const mostOfHeaders = 1 << 17
/** Bytes of a response; a body beside the journal may be named in it any number of times. */
const mostOfResponse = 64 << 20

/** Of what fits its schema. Members stay in the order of the line, so that it is written again as it was. */
export function fromChecked(plain: PlainExchange, read: ReadBody): Exchange {
  const { request, response } = plain
  for (const { headers } of [request, ...(response ? [response] : [])])
    if (headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0) > mostOfHeaders)
      throw new Error(`it has headers of more than ${mostOfHeaders} characters`)
  const members = Object.entries(plain).filter(([name]) => judged.has(name))
  return {
    ...(Object.fromEntries(members) as unknown as PlainExchange),
    request: { ...request, body: bytesOf(request.body, read) },
    response: response && { ...response, chunks: chunksOf(response.chunks, read) },
  }
}

/** In one buffer, unless one is beside the journal: that is shared by all that name it. */
function chunksOf(chunks: readonly { at: number; body: Stored }[], read: ReadBody): readonly Chunk[] {
  const sizes = chunks.map(({ body }) => sizeOf(body))
  const size = sizes.reduce((sum, one) => sum + one, 0)
  if (size > mostOfResponse) throw new Error(`its response has more than ${mostOfResponse} bytes`)
  if (chunks.some(({ body }) => typeof body === 'object' && 'evidence' in body))
    return chunks.map(({ at, body }) => ({ at, bytes: bytesOf(body, read) }))
  const whole = Buffer.from(new ArrayBuffer(size))
  let end = 0
  return chunks.map(({ at, body }) => {
    const begin = end
    if (typeof body === 'string') end += whole.write(body, begin)
    else if ('base64' in body) end += whole.write(body.base64, begin, 'base64')
    return { at, bytes: new Uint8Array(whole.buffer, begin, end - begin) }
  })
}

function sizeOf(body: Stored): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return 'evidence' in body ? body.bytes : Buffer.byteLength(body.base64, 'base64')
}

function bytesOf(body: Stored, read: ReadBody): Uint8Array {
  if (typeof body === 'object' && 'evidence' in body) return read(body)
  const { buffer, byteOffset, length } =
    typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.base64, 'base64')
  return new Uint8Array(buffer, byteOffset, length)
}
