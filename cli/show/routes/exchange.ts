/** One exchange: both messages to the byte, with the times at which they arrived. */
import { eventLines } from '../../../reports/bundle/journal/event-lines.ts'
import { curlOf } from '../../../reports/bundle/curl.ts'
import type { Exchange } from '../../../reports/bundle/record.ts'
import type { Chunk, ExchangeDetail, Fact, Message, StreamEvent } from '../../../spec/types/show.ts'
import type { NamedRun } from '../named-runs.ts'
import type { OpenedRuns } from '../opened-runs.ts'

/** Of a body: a page with more would be slow, and the file is beside it. */
const mostBytes = 2_000_000
const mostEvents = 5_000

/** Null where the journal has no such exchange. Throws a BundleError for one that was altered. */
export async function exchangeDetail(
  runs: OpenedRuns,
  run: NamedRun,
  id: number,
): Promise<ExchangeDetail | null> {
  const journal = await runs.journal(run)
  const [item, exchange] = [journal.items.find((one) => one.id === id), await journal.exchange(id)]
  if (!item || !exchange) return null
  const { record, findings } = runs.record(run)
  const { request, response, inbound, sentAt } = exchange
  return {
    item,
    request: messageOf(`${request.method} ${request.path} HTTP/1.1`, request.headers, [
      { at: sentAt, bytes: request.body },
    ]),
    response: response && messageOf(`HTTP/1.1 ${response.status}`, response.headers, response.chunks),
    notes: notesOf(exchange),
    events: eventsOf(exchange),
    ...(inbound ? {} : { curl: curlOf(exchange, record.target) }),
    checks: findings
      .filter(({ evidence }) => evidence.includes(id))
      .map(({ check, verdict }) => ({ check, verdict })),
  }
}

function messageOf(
  start: string,
  headers: Exchange['request']['headers'],
  chunks: readonly { at: number; bytes: Uint8Array }[],
): Message {
  return {
    start,
    headers: headers.map(([name, value]): Fact => ({ name, value })),
    chunks: beginning(chunks),
    size: chunks.reduce((sum, { bytes }) => sum + bytes.length, 0),
  }
}

function beginning(chunks: readonly { at: number; bytes: Uint8Array }[]): Chunk[] {
  let left = mostBytes
  return chunks.flatMap(({ at, bytes }) => {
    const shown = bytes.subarray(0, left)
    left -= shown.length
    return shown.length === 0 ? [] : [{ at, base64: Buffer.from(shown).toString('base64') }]
  })
}

function eventsOf(exchange: Exchange): StreamEvent[] {
  const type = exchange.response?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (!/^text\/event-stream\b/i.test(type)) return []
  return eventLines(exchange.response?.chunks)
    .slice(0, mostEvents)
    .map(({ at, value }) => ({ at, type: eventType(value), data: JSON.stringify(value) ?? 'not JSON' }))
}

function eventType(value: unknown): string {
  const { type } = (value ?? {}) as { type?: unknown }
  return typeof type === 'string' ? type : 'no type'
}

function notesOf({ failure, resent, insteadOf, withheld, inbound, request, response }: Exchange): string[] {
  return [
    failure && `${failure.kind}: ${failure.message}`,
    response && !response.complete && 'The body did not end as its framing promises.',
    resent && 'The same bytes were sent twice: a kept connection turned out to be closed.',
    insteadOf !== undefined && `Exchange ${insteadOf} came too early: this one is judged in its place.`,
    withheld && 'A body contained a secret in an encoding that cannot be redacted, so it was withheld.',
    inbound?.cut && 'The body was larger than is stored; this is its beginning.',
    request.splitAt !== undefined && `The body was sent in two writes: ${request.splitAt} bytes first.`,
    request.replica !== undefined && `Sent to ${request.replica}.`,
  ].filter((note) => typeof note === 'string')
}
