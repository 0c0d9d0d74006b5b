/**
 * Exchanges as lines of NDJSON, and back: nothing is lost but the spelling of numbers. A body is its text where it
 * is UTF-8, and base64 where it is not.
 */
import { decode } from './body.ts'
import {
  failures,
  type Chunk,
  type Exchange,
  type Header,
  type Inbound,
  type Received,
  type SentRequest,
} from './exchange.ts'
import { parseJson, type Json } from './json.ts'

type Stored = string | { base64: string }

/** One line, without its end. Redact the exchange first. */
export function toLine(exchange: Exchange): string {
  const { request, response } = exchange
  return JSON.stringify({
    ...exchange,
    request: { ...request, body: stored(request.body) },
    response: response && {
      ...response,
      chunks: response.chunks.map(({ at, bytes }) => ({ at, body: stored(bytes) })),
    },
  })
}

/** Throws for a line that is no exchange, saying which member is wrong. */
export function fromLine(line: string): Exchange {
  const parsed = parseJson(line)
  if (!parsed.ok) throw new Error(`it is not JSON: ${parsed.why}`)
  return exchangeOf(members(parsed.value, 'the line'))
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

function stored(bytes: Uint8Array): Stored {
  const { valid, text } = decode(bytes)
  return valid ? text : { base64: Buffer.from(bytes).toString('base64') }
}

type Members = { readonly [name: string]: Json }

function exchangeOf(it: Members): Exchange {
  const { request, response, failure } = it
  const exchange: Exchange = {
    id: number(it, 'id'),
    scenario: string(it, 'scenario'),
    name: string(it, 'name'),
    request: requestOf(members(request, 'request')),
    sentAt: number(it, 'sentAt'),
    endedAt: number(it, 'endedAt'),
    response: response === null ? null : responseOf(members(response, 'response')),
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

function requestOf(it: Members): SentRequest {
  const { principal, replica, splitAt } = it
  return {
    method: string(it, 'method'),
    path: string(it, 'path'),
    headers: list(it, 'headers').map(headerOf),
    body: bytesOf(it['body']),
    principal: principal === null ? null : string(it, 'principal'),
    ...(replica === undefined ? {} : { replica: string(it, 'replica') }),
    ...(splitAt === undefined ? {} : { splitAt: number(it, 'splitAt') }),
  }
}

function responseOf(it: Members): Received {
  return {
    status: number(it, 'status'),
    headers: list(it, 'headers').map(headerOf),
    at: number(it, 'at'),
    chunks: list(it, 'chunks').map(chunkOf),
    complete: boolean(it, 'complete'),
  }
}

function chunkOf(value: Json): Chunk {
  const it = members(value, 'a chunk')
  return { at: number(it, 'at'), bytes: bytesOf(it['body']) }
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

function bytesOf(value: Json | undefined): Uint8Array {
  if (typeof value === 'string') return new TextEncoder().encode(value)
  return new Uint8Array(Buffer.from(string(members(value, 'body'), 'base64'), 'base64'))
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
