/** Puts an answer on its socket and into the journal. */
import { elapsed, TextChunk, type JournalChunk, type JournalEntry } from '../tenant/journal/entry.ts'
import type { ServerResponse } from 'node:http'
import { machineElapsed } from '../clock/machine-time.ts'
import { isObject } from '../json.ts'
import { bodyWithoutHeaderValues, redactKeys } from '../tenant/redacted.ts'
import { type TenantState, hookBytes, hookEvents } from '../rules/tenant-state.ts'
import {
  type BytesReply,
  type DropReply,
  type EventSource,
  type Follower,
  type HeaderLine,
  type JsonReply,
  type Reply,
  type StreamEvent,
  type StreamReply,
  encodedEvents,
  frame,
  eventTexts,
  lineNamed,
} from '../edge/reply.ts'
import { extended, encodeJson, plainWire } from '../edge/wire.ts'
import { type InFlightLimit, crowdedReply } from './receive.ts'

/** Where an answer goes. The tenant gives clock, wire style and hooks; the entry remembers what went out. */
export interface ResponseLine {
  readonly state: TenantState
  readonly response: ServerResponse
  readonly entry: JournalEntry
  readonly inFlight: InFlightLimit
}

export function sendReply(line: ResponseLine, reply: Reply): void | Promise<void> {
  switch (reply.kind) {
    case 'json':
      return sendJson(line, reply)
    case 'stream':
      return sendStream(line, reply)
    case 'bytes':
      return sendChunks(line, reply, reply.headers, reply.chunks)
    case 'drop':
      return drop(line)
  }
}

/** Thrown by a source of bytes: the connection is to break here, closed (FIN) or reset (RST). */
export class Broken extends Error {
  readonly by: 'cut' | 'reset'
  constructor(by: 'cut' | 'reset') {
    super(`the connection is ${by} here`)
    this.by = by
  }
}

export function drop({ response, entry, state }: ResponseLine, reset = false): void {
  if (reset) response.socket?.resetAndDestroy()
  response.destroy()
  state.journal.end(entry, 'drop', state.clock.now())
}

function head(
  { state, response, entry }: ResponseLine,
  status: number,
  headers: readonly HeaderLine[],
): void {
  const { wire, clock } = state
  // Where time is not the machine's, the date is that of the tenant.
  const date = (): HeaderLine => ['Date', new Date(clock.now()).toUTCString()]
  const dated = clock.setting.mode === 'real' ? headers : [...headers, date()]
  response.sendDate = dated === headers
  const responseHeaders =
    wire === plainWire ? dated : dated.map(([name, value]): HeaderLine => [wire.headerName(name), value])
  entry.status = status
  entry.responseHeaders = responseHeaders
  state.journal.changed(entry)
  // One flat list keeps repeated names and their order.
  const flat: string[] = []
  for (const [name, value] of responseHeaders) flat.push(name, value)
  response.writeHead(status, flat)
}

const [contentType, contentLength] = [lineNamed('Content-Type'), lineNamed('Content-Length')]

function jsonText(
  { state: { wire } }: ResponseLine,
  reply: JsonReply,
): { text: string; headers: readonly HeaderLine[] } {
  const { body, about } = reply
  const extendable = about.operation === 'chat' && reply.status === 200 && isObject(body)
  const text = encodeJson(extendable ? extended(body, wire) : body, wire, wire.indent)
  const length = contentLength(`${Buffer.byteLength(text)}`)
  const first = wire.jsonContentType === null ? [length] : [contentType(wire.jsonContentType), length]
  // Not pushed, for a list that grows has room for many more, and very many are remembered.
  return { text, headers: first.concat(reply.close ? [['Connection', 'close']] : [], reply.headers) }
}

const longText = 16 * 1024

/** A text that waits in a socket takes three times its length, bytes only theirs. */
const compact = (text: string): string | Uint8Array => (text.length < longText ? text : Buffer.from(text))

function sendJson(line: ResponseLine, reply: JsonReply): void {
  const { state, response, entry, inFlight } = line
  const { text, headers } = jsonText(line, reply)
  const isLong = text.length >= longText
  if (isLong && !inFlight.hasRoom()) return sendJson(line, crowdedReply(state))
  head(line, reply.status, headers)
  const isManaged = reply.about.operation.startsWith('webhook-')
  // To find the values of headers in a long text again would take longer than to encode it.
  const shown =
    isManaged && isLong
      ? encodeJson(bodyWithoutHeaderValues(reply.body), state.wire, state.wire.indent)
      : text
  const kept = isManaged ? redactKeys(shown) : text
  entry.response = [new TextChunk(state.clock.now(), kept)]
  state.journal.changed(entry)
  response.end(compact(text))
  if (isLong) inFlight.holdUnread(response)
}

function streamHeaders({ state }: ResponseLine, { headers }: StreamReply): readonly HeaderLine[] {
  return [contentType(state.wire.streamContentType)].concat(headers)
}

/** The bytes of a response. `encode`: other bytes for the events of a stream. */
export function asBytes(
  line: ResponseLine,
  reply: Reply,
  encode?: (events: AsyncIterable<StreamEvent>) => AsyncIterable<Uint8Array>,
): BytesReply | DropReply {
  if (reply.kind === 'bytes' || reply.kind === 'drop') return reply
  const { status, about } = reply
  if (reply.kind === 'json') {
    const { text, headers } = jsonText(line, reply)
    return { kind: 'bytes', status, headers, chunks: [Buffer.from(text)], about }
  }
  const headers = streamHeaders(line, reply)
  const chunks = encode?.(hookEvents(line.state, reply.events, about)) ?? streamChunks(line, reply)
  return { kind: 'bytes', status, headers, chunks, about }
}

function streamChunks({ state }: ResponseLine, { events, about }: StreamReply): AsyncIterable<Uint8Array> {
  const text = eventTexts(hookEvents(state, events, about), state.wire, state.clock)
  return hookBytes(state, encodedEvents(text, state.wire), about)
}

function sendStream(line: ResponseLine, reply: StreamReply): void | Promise<void> {
  const { state } = line
  const plain = state.wire === plainWire && state.hooks.length === 0
  if (plain && 'follow' in reply.events) return follow(line, reply, reply.events)
  return sendChunks(line, reply, streamHeaders(line, reply), streamChunks(line, reply))
}

/** An event sent in the plain style; its bytes are made on demand. */
class EventChunk implements JournalChunk {
  readonly at: number
  readonly [elapsed] = machineElapsed()
  readonly length: number
  readonly #event: StreamEvent
  constructor(at: number, length: number, event: StreamEvent) {
    this.at = at
    this.length = length
    this.#event = event
  }
  get bytes(): Uint8Array {
    return Buffer.from(frame(this.#event, plainWire))
  }
}

/**
 * The common case without a promise per event; the bytes are the same. What a client does not read waits as the events
 * of its turn, and no more of it as bytes than fills the buffer of its socket.
 */
function follow(line: ResponseLine, reply: StreamReply, events: EventSource): void {
  const { state, response } = line
  head(line, reply.status, streamHeaders(line, reply))
  response.on('drain', events.follow(new PlainStream(line)))
  // Where the first event takes its time, the headers go ahead; where it is about to come, with it.
  void state.clock.yield().then(() => {
    if (!response.writableEnded && !response.destroyed) response.flushHeaders()
  })
}

class PlainStream implements Follower {
  readonly #line: ResponseLine
  constructor(line: ResponseLine) {
    this.#line = line
  }

  event(event: StreamEvent): boolean {
    const { state, response, entry, inFlight } = this.#line
    if (response.destroyed) return false
    const text = frame(event, plainWire)
    entry.response.push(new EventChunk(state.clock.now(), text.length, event))
    state.journal.changed(entry)
    if (response.write(compact(text))) return true
    inFlight.holdUnread(response)
    return false
  }

  end(reason?: Error): void {
    if (reason) void breakOff(this.#line)
    else this.#line.response.end()
  }
}

/** Drops the socket in the middle of a body; what was written before goes out first. */
async function breakOff(line: ResponseLine, reason?: unknown): Promise<void> {
  const { state, response } = line
  await state.clock.yield()
  if (response.writableLength > 0) await flushed(response)
  drop(line, reason instanceof Broken && reason.by === 'reset')
}

/** Resolves when what was written is on its way, or nobody is there for it any more. */
function flushed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', resolve)
    response.write('', () => resolve())
  })
}

/** Each chunk is a write of its own. A source that throws drops the socket in the middle of the body. */
async function sendChunks(
  line: ResponseLine,
  reply: StreamReply | BytesReply,
  headers: readonly HeaderLine[],
  chunks: BytesReply['chunks'],
): Promise<void> {
  const { state, response, entry, inFlight } = line
  head(line, reply.status, headers)
  response.flushHeaders()
  try {
    for await (const bytes of chunks) {
      if (response.destroyed) break
      // A stream outside of every tenant may go on for days.
      if (entry.id > 0) entry.response.push({ at: state.clock.now(), [elapsed]: machineElapsed(), bytes })
      state.journal.changed(entry)
      if (response.write(bytes)) continue
      inFlight.holdUnread(response)
      await drained(response)
    }
    response.end()
  } catch (reason) {
    await breakOff(line, reason)
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go)
      resolve()
    }
    response.on('drain', go).on('close', go)
  })
}
