/**
 * Exchanges as lines of NDJSON, and back: nothing is lost but the spelling of numbers. A body is its text where it
 * is UTF-8, and base64 where it is not; a large one may stand elsewhere, with its digest in its place.
 */
import { decode } from '../text.ts'
import {
  failures,
  type Chunk,
  type Exchange,
  type Header,
  type Inbound,
  type Received,
  type SentRequest,
} from '../exchange.ts'
import { parseJson, type Json } from '../json.ts'

/** Bytes that stand elsewhere, under their SHA-256 in hex. */
export interface Kept {
  evidence: string
  bytes: number
}

type Stored = string | { base64: string } | Kept

/** Where a body goes that does not stand in its line; null for one that does. */
export type Keep = (bytes: Uint8Array) => Kept | null

/** Gives what was kept. Throws where it is not there, or is something else. */
export type Fetch = (kept: Kept) => Uint8Array

const keepNone: Keep = () => null
const fetchNone: Fetch = ({ evidence }) => {
  throw new Error(`it points to the evidence ${evidence}, and there is none beside it`)
}

/** One line, without its end. Redact the exchange first. */
export function toLine(exchange: Exchange): string {
  return JSON.stringify(toPlain(exchange))
}

/** The exchange as it stands in a line. Redact it first. */
export function toPlain(exchange: Exchange, keep: Keep = keepNone): object {
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
export function fromPlain(value: Json | undefined, fetch: Fetch = fetchNone): Exchange {
  return exchangeOf(members(value, 'the exchange'), fetch)
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
      const why = error instanceof Error ? error.message : String(error)
      throw new Error(`line ${i + 1} of the journal is no exchange: ${why}`, { cause: error })
    }
  })
}

function stored(bytes: Uint8Array, keep: Keep): Stored {
  const kept = keep(bytes)
  if (kept) return kept
  const { valid, text } = decode(bytes)
  return valid ? text : { base64: Buffer.from(bytes).toString('base64') }
}

type Members = { readonly [name: string]: Json }

function exchangeOf(it: Members, fetch: Fetch): Exchange {
  const { request, response, failure } = it
  const exchange: Exchange = {
    id: number(it, 'id'),
    scenario: string(it, 'scenario'),
    name: string(it, 'name'),
    request: requestOf(members(request, 'request'), fetch),
    sentAt: number(it, 'sentAt'),
    endedAt: number(it, 'endedAt'),
    response: response === null ? null : responseOf(members(response, 'response'), fetch),
    failure: failure === null ? null : failureOf(members(failure, 'failure')),
  }
  return {
    ...exchange,
    ...(it['resent'] === true ? { resent: true } : {}),
    ...(it['inbound'] === undefined ? {} : { inbound: inboundOf(members(it['inbound'], 'inbound')) }),
  }
}

function inboundOf(it: Members): Inbound {
  return {
    place: string(it, 'place'),
    targetAt: number(it, 'targetAt'),
    ...(it['targetEndedAt'] === undefined ? {} : { targetEndedAt: number(it, 'targetEndedAt') }),
    ...(it['cut'] === true ? { cut: true } : {}),
  }
}

function requestOf(it: Members, fetch: Fetch): SentRequest {
  const { principal, replica, splitAt } = it
  return {
    method: string(it, 'method'),
    path: string(it, 'path'),
    headers: list(it, 'headers').map(headerOf),
    body: bytesOf(it['body'], fetch),
    principal: principal === null ? null : string(it, 'principal'),
    ...(replica === undefined ? {} : { replica: string(it, 'replica') }),
    ...(splitAt === undefined ? {} : { splitAt: number(it, 'splitAt') }),
  }
}

function responseOf(it: Members, fetch: Fetch): Received {
  return {
    status: number(it, 'status'),
    headers: list(it, 'headers').map(headerOf),
    at: number(it, 'at'),
    chunks: list(it, 'chunks').map((chunk) => chunkOf(chunk, fetch)),
    complete: boolean(it, 'complete'),
  }
}

function chunkOf(value: Json, fetch: Fetch): Chunk {
  const it = members(value, 'a chunk')
  return { at: number(it, 'at'), bytes: bytesOf(it['body'], fetch) }
}

function failureOf(it: Members): Exchange['failure'] {
  const kind = failures.find((known) => known === it['kind'])
  return { kind: kind ?? wrong('kind', 'a known failure', it['kind']), message: string(it, 'message') }
}

function headerOf(value: Json): Header {
  const [name, text] = isList(value) ? value : []
  if (typeof name === 'string' && typeof text === 'string') return [name, text]
  return wrong('a header', 'a name and a value', value)
}

function bytesOf(value: Json | undefined, fetch: Fetch): Uint8Array {
  if (typeof value === 'string') return new TextEncoder().encode(value)
  const it = members(value, 'body')
  if (it['evidence'] !== undefined)
    return fetch({ evidence: string(it, 'evidence'), bytes: number(it, 'bytes') })
  return new Uint8Array(Buffer.from(string(it, 'base64'), 'base64'))
}

function members(value: Json | undefined, what: string): Members {
  if (typeof value === 'object' && value !== null && !isList(value)) return value
  return wrong(what, 'an object', value)
}

function list(it: Members, name: string): readonly Json[] {
  const value = it[name]
  return isList(value) ? value : wrong(name, 'a list', value)
}

function number(it: Members, name: string): number {
  const value = it[name]
  // A number too large for any is read as infinite, and would be written as null.
  return typeof value === 'number' && Number.isFinite(value) ? value : wrong(name, 'a number', value)
}

function string(it: Members, name: string): string {
  const value = it[name]
  return typeof value === 'string' ? value : wrong(name, 'a text', value)
}

function boolean(it: Members, name: string): boolean {
  const value = it[name]
  return typeof value === 'boolean' ? value : wrong(name, 'true or false', value)
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

function wrong(what: string, expected: string, got: Json | undefined): never {
  throw new Error(`${what} is ${JSON.stringify(got)?.slice(0, 80) ?? 'missing'}, not ${expected}`)
}
