/**
 * A journal, so that a run of any size can be shown: of each exchange a few words and where its line stands stay in
 * memory, and bodies are read when they are asked for.
 */
import { createReadStream, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { BundleError, unreadable } from '../../reports/bundle/errors.ts'
import { fromPlain, type StoredBodies } from '../../reports/bundle/journal/codec.ts'
import { evidenceIn } from '../../reports/bundle/journal/evidence.ts'
import { parseJson } from '../../reports/bundle/json.ts'
import { journalFile } from '../../reports/bundle/names.ts'
import type { Exchange } from '../../reports/bundle/record.ts'
import { journalLineProblem } from '../../reports/bundle/schema/problem.ts'
import { visibleLine } from '../../reports/visible.ts'
import type { ExchangeItem } from '../../spec/types/show.ts'
import { exchangeText } from './exchange-text.ts'

interface Line {
  /** Counts from 1. */
  number: number
  /** Of its first byte. */
  from: number
  bytes: Buffer
}

export interface JournalIndex {
  /** In the order sent. */
  items: readonly ExchangeItem[]
  /** Numbers of the lines that are no lines of a journal. */
  unreadable: readonly number[]
  /** Null where there is none. Throws a BundleError if it cannot be read any more. */
  exchange(id: number): Promise<Exchange | null>
  /** Ids of those that contain a text, in any casing. */
  containing(text: string): Promise<ReadonlySet<number>>
}

const newline = 0x0a

/** Throws a BundleError. A journal with altered lines is shown as far as it can be read. */
export async function indexJournal(path: string): Promise<JournalIndex> {
  const file = join(path, journalFile)
  const places = new Map<number, { from: number; length: number }>()
  const items: ExchangeItem[] = []
  const unreadableLines: number[] = []
  for await (const { number, from, bytes } of linesOf(file)) {
    const plain = exchangeIn(bytes)
    if (plain === undefined) unreadableLines.push(number)
    if (!plain || places.has(plain.id)) continue
    places.set(plain.id, { from, length: bytes.length })
    items.push(itemOf(plain))
  }
  const searches = new Map<string, Promise<ReadonlySet<number>>>()
  return {
    items: items.toSorted((one, other) => one.id - other.id),
    unreadable: unreadableLines,
    exchange: (id) => exchangeAt(path, places.get(id)),
    containing(text) {
      const wanted = text.toLowerCase()
      const known = searches.get(wanted) ?? search(path, wanted)
      // The pages of one list ask for the same text.
      searches.clear()
      searches.set(wanted, known)
      return known
    },
  }
}

/** Only what has its end is a line. */
async function* linesOf(file: string): AsyncGenerator<Line> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return
  const stream = createReadStream(file, { highWaterMark: 1 << 20 })
  let rest: Buffer = Buffer.alloc(0)
  let [from, number] = [0, 0]
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
      let start = 0
      for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
        yield { number: ++number, from: from + start, bytes: bytes.subarray(start, end) }
        start = end + 1
      }
      rest = bytes.subarray(start)
      from += start
    }
  } catch (error) {
    throw unreadable(file, error)
  }
}

/** An exchange as it stands in its line, once the schema was checked. */
interface PlainExchange extends Omit<Exchange, 'request' | 'response'> {
  request: Omit<Exchange['request'], 'body'> & { body: PlainBody }
  response:
    | (Omit<NonNullable<Exchange['response']>, 'chunks'> & { chunks: readonly { body: PlainBody }[] })
    | null
}
type PlainBody = string | { base64: string } | { bytes: number }

/** Null for another line of a journal, undefined for what is none. */
function exchangeIn(bytes: Buffer): PlainExchange | null | undefined {
  const parsed = parseJson(bytes.toString('utf8'))
  if (!parsed.ok || journalLineProblem(parsed.value) !== null) return undefined
  const { exchange } = parsed.value as { exchange?: unknown }
  return (exchange as PlainExchange | undefined) ?? null
}

function itemOf({
  id,
  scenario,
  name,
  request,
  response,
  failure,
  inbound,
  sentAt,
  endedAt,
}: PlainExchange): ExchangeItem {
  return {
    id,
    scenario,
    name: visibleLine(name),
    method: visibleLine(request.method),
    path: visibleLine(request.path),
    status: response?.status ?? null,
    failure: failure?.kind ?? null,
    inbound: inbound !== undefined,
    principal: request.principal && visibleLine(request.principal),
    sentAt,
    headersAt: response?.at ?? null,
    endedAt,
    sent: sizeOf(request.body),
    received: (response?.chunks ?? []).reduce((sum, { body }) => sum + sizeOf(body), 0),
  }
}

function sizeOf(body: PlainBody): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return 'bytes' in body ? body.bytes : Buffer.byteLength(body.base64, 'base64')
}

async function exchangeAt(path: string, place?: { from: number; length: number }): Promise<Exchange | null> {
  if (!place) return null
  const file = await open(join(path, journalFile))
  try {
    const { buffer } = await file.read(Buffer.alloc(place.length), 0, place.length, place.from)
    return wholeExchange(
      buffer,
      evidenceIn(() => path),
    )
  } finally {
    await file.close()
  }
}

/** Null for another line. Throws a BundleError for a body that is missing or was altered. */
function wholeExchange(line: Buffer, evidence: StoredBodies): Exchange | null {
  const plain = exchangeIn(line)
  if (!plain) return null
  try {
    return fromPlain(plain, evidence)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new BundleError(`Exchange ${plain.id} cannot be read: ${why}.`)
  }
}

/** Reads the whole journal once. */
async function search(path: string, wanted: string): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  const evidence = evidenceIn(() => path)
  for await (const { bytes } of linesOf(join(path, journalFile))) {
    try {
      const exchange = wholeExchange(bytes, evidence)
      if (exchange && exchangeText(exchange).includes(wanted)) found.add(exchange.id)
    } catch (error) {
      // What cannot be read is reported where it is opened.
      if (!(error instanceof BundleError)) throw error
    }
  }
  return found
}
