/**
 * Exchanges without headers and bodies, which stay in the journal: so a run of any length fits into memory. They are
 * read when they are asked for. What is copied with a spread is read by that.
 */
import { join } from 'node:path'
import { boundedCache } from './bounded-cache.ts'
import { altered, unreadable } from '../errors.ts'
import type { Exchange } from '../exchange.ts'
import { parseJson } from '../json.ts'
import { journalFile } from '../names.ts'
import { sha256 } from '../seal/digest.ts'
import { fromChecked, type StoredBodies, type PlainExchange } from './codec.ts'
import { partOfFile } from './lines.ts'

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

/** Bytes of the lines that stay in memory: a scenario is read many times over. */
const mostOfLines = 1 << 20

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

/** The exchange, of which request and response are read again at `place`. */
export function deferred(
  { request, response, ...rest }: Exchange | PlainExchange,
  place: LinePlace,
  read: ReadLine,
): Exchange {
  const messages = (): Messages => read(place)
  return {
    ...rest,
    request: without(request, requestParts, messages),
    response: response && without(response, responseParts, messages),
  } as unknown as Exchange
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
const responseParts: Parts = {
  headers: { enumerable: true, get: responsePart('headers') },
  chunks: { enumerable: true, get: responsePart('chunks') },
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
  const left = Object.defineProperty({}, source, { value: from })
  for (const [name, value] of Object.entries(Object.getOwnPropertyDescriptors(message))) {
    const part = parts[name]
    if (part) Object.defineProperty(left, name, part)
    else Object.assign(left, { [name]: value.value as unknown })
  }
  return left
}
