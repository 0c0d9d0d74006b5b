/**
 * Exchanges without bodies and without the headers of requests, which stay in the journal: so a run of any length fits
 * into memory. They are read when they are asked for. What is copied with a spread is read by that.
 */
import { join } from 'node:path'
import { boundedCache } from './bounded-cache.ts'
import { altered, unreadable } from '../errors.ts'
import type { Exchange, Header, Received } from '../exchange.ts'
import { parseJson } from '../json.ts'
import { journalFile } from '../names.ts'
import { sha256 } from '../seal/digest.ts'
import { fromChecked, type StoredBodies, type PlainExchange } from './codec.ts'
import { partOfFile } from './lines.ts'
import { rememberCost } from './stated-cost.ts'

/** Where the line of an exchange stands in the journal. */
export interface LinePlace {
  from: number
  length: number
  sha256: string
}

/** Gives the exchange in a line. Throws a BundleError where the line is not as it was. */
export type ReadLine = (place: LinePlace) => Exchange

/** What is read of a line, with what refers to it. */
type Messages = Pick<Exchange, 'request' | 'response'>

/** Bytes of the lines that stay in memory. With more, lines that are read once would outlive the young generation. */
const mostOfLines = 1 << 14

/** `folder`: where the files are when a line is asked for. */
export function lineReader(folder: () => string, evidence: StoredBodies): ReadLine {
  const read = boundedCache<number, { exchange: Exchange; length: number }>(
    mostOfLines,
    ({ length }) => length,
  )
  return (place) => {
    const { from, length } = place
    return read.get(from, () => ({
      exchange: exchangeAt(join(folder(), journalFile), place, evidence),
      length,
    })).exchange
  }
}

function exchangeAt(
  file: string,
  { from, length, sha256: digest }: LinePlace,
  evidence: StoredBodies,
): Exchange {
  const bytes = lineAt(file, from, length)
  const parsed = sha256(bytes) === digest ? parseJson(bytes.toString('utf8')) : null
  if (!parsed?.ok) throw altered(file, `the line at byte ${from} is not as it was read before`)
  const { exchange } = parsed.value as unknown as { exchange: PlainExchange }
  return fromChecked(exchange, evidence)
}

function lineAt(file: string, from: number, length: number): Buffer {
  try {
    return partOfFile(file, from, length)
  } catch (error) {
    throw unreadable(file, error)
  }
}

/** The exchange, of which bodies and the headers of the request are read again at `place`. `cost`: as its response states it. */
export function deferred(
  { request, response, ...rest }: Exchange | PlainExchange,
  place: LinePlace,
  read: ReadLine,
  cost: number | null,
): Exchange {
  const messages = (): Messages => read(place)
  const left = {
    ...rest,
    scenario: shared(rest.scenario),
    name: shared(rest.name),
    request: without(request, requestParts, messages),
    response: response && without(response, partsOf(response), messages),
  } as unknown as Exchange
  if (left.response) rememberCost(left.response, cost)
  return left
}

/** Not enumerable: a copy has what was read, and no source. */
const source = Symbol('source')
interface Deferred {
  [source]: () => Messages
}

type Parts = Readonly<Record<string, PropertyDescriptor>>

// One getter for all: objects that each have their own take several times the memory.
const requestParts: Parts = {
  headers: { enumerable: true, get: requestPart('headers') },
  body: { enumerable: true, get: requestPart('body') },
}
const chunks: Parts = { chunks: { enumerable: true, get: responsePart('chunks') } }
const chunksAndHeaders: Parts = {
  headers: { enumerable: true, get: responsePart('headers') },
  ...chunks,
}

/** Characters of the headers of a response that stay in memory: every report asks for some of them. */
const mostOfHeaders = 2_000

function partsOf({ headers }: Pick<Received, 'headers'>): Parts {
  const length = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return length > mostOfHeaders ? chunksAndHeaders : chunks
}

function requestPart(name: 'headers' | 'body') {
  return function (this: Deferred) {
    return this[source]().request[name]
  }
}

function responsePart(name: 'headers' | 'chunks') {
  return function (this: Deferred) {
    return this[source]().response?.[name]
  }
}

/** The members in their order, those of `parts` as getters. */
function without(message: object, parts: Parts, from: () => Messages): object {
  const left: Record<string, unknown> = Object.defineProperty({}, source, { value: from })
  for (const [name, value] of Object.entries(message)) {
    const part = parts[name]
    if (part) Object.defineProperty(left, name, part)
    else left[name] = shared(value as unknown)
  }
  return left
}

/** What was met lately: a run has few different texts and headers. */
const texts = new Map<string, string>()
const headers = new Map<string, Header>()
const most = { values: 4_096, length: 200 }

/** The same value; of equal texts, and of equal headers of a list, the one met first. */
function shared<T>(value: T): T {
  if (typeof value === 'string') return firstOf(texts, value, value) as T
  if (!Array.isArray(value)) return value
  return value.map((header: Header) =>
    firstOf(headers, `${header[0].length} ${header.join('')}`, header),
  ) as T
}

function firstOf<V>(known: Map<string, V>, key: string, value: V): V {
  const first = known.get(key)
  if (first !== undefined || key.length > most.length) return first ?? value
  if (known.size >= most.values) known.clear()
  known.set(key, value)
  return value
}
