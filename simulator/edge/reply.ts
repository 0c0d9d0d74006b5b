/** A response as plain data; only the server turns it into bytes. */
import type { Json, JsonObject } from '../json.ts'
import type { TenantClock } from '../clock/clock.ts'
import type { Credits } from '../tenant/conversations.ts'
import { extended, encodeJson, plainWire, type WireStyle } from './wire.ts'

export type HeaderLine = readonly [name: string, value: string]

/** One event of a chat stream; `type` names it. */
export interface StreamEvent extends JsonObject {
  readonly type: string
}

/** Gets events as they come, without a promise for each. */
export interface Follower {
  /** False: no more for now, until it is resumed. */
  event(event: StreamEvent): boolean
  /** Called once, after the last event; with a reason when it broke off. */
  end(reason?: Error): void
}

/** Events that can be followed, too. What a turn made before comes first, at once. */
export interface EventSource extends AsyncIterable<StreamEvent> {
  /** Call the result to resume a follower that took no more. */
  follow(follower: Follower): () => void
}

/** What an answer is about, for faults, variants and the journal. Never sent. */
export interface ReplyInfo {
  /** `chat`, `health`, … */
  readonly operation: string
  /** Code of a refusal, whether or not it is shown. */
  readonly code?: string
  /** Role of the agent, such as `workflow`, and its id. */
  readonly agent?: string
  readonly agentId?: string
  readonly account?: string
  /** Id of the webhook that a management route is about. */
  readonly webhook?: string
  /** Id of the operation that an execution, a route of its own, a task or an approval is about. */
  readonly operationId?: string
  /** `status` of the receipt of an execution. */
  readonly receipt?: string
  /** Id of the task, or of the approval, that is read. */
  readonly task?: string
  readonly approval?: string
  /** Idempotency key as the client sent it. */
  readonly key?: string
  /** Answered from the record of a completed key. */
  readonly replay?: true
  /** How the first answer to the key went out; on a replay. */
  readonly original?: 'json' | 'stream'
  /** How many replays of this key there were before this one. */
  readonly replays?: number
  /** Requests with the same key that came while the turn ran. */
  readonly duplicates?: number
  /** Stored while AI replies are paused. */
  readonly paused?: true
  /** Pressing a button. */
  readonly interaction?: true
}

interface ReplyHead {
  readonly status: number
  readonly headers: readonly HeaderLine[]
  readonly about: ReplyInfo
}

export interface JsonReply extends ReplyHead {
  readonly kind: 'json'
  readonly body: Json
  /** Close the connection after it. */
  readonly close?: true
}

export interface StreamReply extends ReplyHead {
  readonly kind: 'stream'
  readonly events: AsyncIterable<StreamEvent> | EventSource
}

/** Bytes as they are; `length` sends a content length where all is known. */
export interface BytesReply extends ReplyHead {
  readonly kind: 'bytes'
  readonly chunks: AsyncIterable<Uint8Array> | readonly Uint8Array[]
}

/** The socket is dropped without an answer. */
export interface DropReply {
  readonly kind: 'drop'
  readonly about: ReplyInfo
}

export type Reply = JsonReply | StreamReply | BytesReply | DropReply

export function jsonReply(
  status: number,
  body: Json,
  about: ReplyInfo,
  headers: readonly HeaderLine[] = [],
): JsonReply {
  return { kind: 'json', status, headers, body, about }
}

/** When a 503 is worth another try, in seconds. */
export const retryAfter: HeaderLine = ['Retry-After', '1']

/** Whether the client still listens. */
export interface ClientConnection {
  readonly gone: boolean
  /** Called once when the client goes away before its answer ended. */
  watch(listener: () => void): void
}

/** What becomes of a chat turn, whatever is said of it. */
export interface TurnRecord {
  is: 'none' | 'run' | 'stored-while-paused' | 'replay'
  /** Null while it runs. */
  charged: Credits | null
  /** Code of its refusal; empty for none. */
  code: string
}

export interface Call {
  /** Counts from 1 within a simulator, in the order in which the bodies were complete. */
  readonly id: number
  /** Counts the sockets of a simulator from 1. */
  readonly connection: number
  /** Number of the server that received it, from 1. */
  readonly server: number
  readonly method: string
  /** Path and query, without scheme and authority. */
  readonly path: string
  /** Of the target, where it was sent in absolute form. */
  readonly authority?: string | undefined
  /** Parameters of the route, decoded. */
  readonly params: Readonly<Record<string, string | undefined>>
  /** In the order and casing received. */
  readonly headers: readonly HeaderLine[]
  readonly body: Uint8Array
  /** The body is larger than is read; `body` is empty then, and the connection ends with the answer. */
  readonly tooLarge?: boolean
  /** The body is not read, because there is no room for it; `tooLarge` as well. */
  readonly noRoom?: boolean
  readonly client: ClientConnection
  /** Written by whoever handles the call. */
  turn?: TurnRecord
}

const isNamed = (header: HeaderLine, name: string): boolean =>
  header[0].length === name.length && header[0].toLowerCase() === name

const none: readonly string[] = []

/** Every value of a header, in order; names are compared in any casing. */
export function headerValues({ headers }: Pick<Call, 'headers'>, name: string): readonly string[] {
  let values: string[] | undefined
  for (const header of headers)
    if (isNamed(header, name)) values = values ? [...values, header[1]] : [header[1]]
  return values ?? none
}

/** The first value of a header. */
export function headerValue({ headers }: Pick<Call, 'headers'>, name: string): string | undefined {
  for (const header of headers) if (isNamed(header, name)) return header[1]
  return undefined
}

/** Makes lines with this name: the same one for the same value as before, because journals remember very many. */
export function lineNamed(name: string): (value: string) => HeaderLine {
  let last: HeaderLine = [name, '']
  return (value) => (last[1] === value ? last : (last = [name, value]))
}

/** What chooses the tenant: the API key or session token, whatever stands before it; empty where there is none. */
export function authorizationTokenOf(head: Pick<Call, 'headers'>): string {
  const authorization = headerValue(head, 'authorization') ?? ''
  return authorization.slice(authorization.lastIndexOf(' ') + 1)
}

/** A client that stays; for calls made without a socket. */
export const presentValues: ClientConnection = { gone: false, watch: () => undefined }

/**
 * For answers of the simulator itself: they may name keys and hold texts of anybody. Nothing in them runs, no page
 * frames or embeds them, no cache keeps them.
 */
export const safeHeaders: readonly HeaderLine[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cache-Control', 'no-store'],
]

/** One event with the empty lines that end it. */
export function frame(event: StreamEvent, wire: WireStyle, number = 1): string {
  // The same in half the time; most streams have it.
  if (wire === plainWire) return `data: ${JSON.stringify(event)}\n\n`
  const { eol } = wire
  const comment = wire.comment === null ? '' : `: ${wire.comment}${eol}${eol}`
  const head =
    (wire.eventLine ? `event: ${event.type}${eol}` : '') + (wire.idLine ? `id: ${number}${eol}` : '')
  const data = encodeJson(event.type === 'done' ? extended(event, wire) : event, wire)
  return `${comment}${head}${wire.dataPrefix}${data}${eol}${eol.repeat(wire.blankLines)}`
}

/** The text of a stream, an event at a time. */
export async function* eventTexts(
  events: AsyncIterable<StreamEvent>,
  wire: WireStyle,
  clock: TenantClock,
): AsyncGenerator<string> {
  if (wire.preamble !== '') yield wire.preamble
  let number = 0
  const { keepAliveMs, eol } = wire
  const spoken = keepAliveMs === null ? events : withKeepAlive(events, clock, keepAliveMs)
  for await (const event of spoken)
    yield event === null ? `: keep-alive${eol}${eol}` : frame(event, wire, ++number)
}

/** The events, with null wherever there was silence for so long. */
async function* withKeepAlive(
  events: AsyncIterable<StreamEvent>,
  clock: TenantClock,
  silenceMs: number,
): AsyncGenerator<StreamEvent | null> {
  const source = events[Symbol.asyncIterator]()
  for (let next = source.next(); ; next = source.next()) {
    for (;;) {
      const silence = new AbortController()
      const first = await Promise.race([
        next,
        clock.sleep(silenceMs, { signal: silence.signal, label: 'keep-alive' }),
      ])
      silence.abort('over')
      if (first) break
      yield null
    }
    const { done, value } = await next
    if (done) return
    yield value
  }
}

/** Text to bytes: an event at a time, every so many bytes wherever that falls, or all at once. */
export async function* encodedEvents(
  text: AsyncIterable<string>,
  wire: WireStyle,
): AsyncGenerator<Uint8Array> {
  const whole: Uint8Array[] = []
  for await (const part of text) {
    const bytes = Buffer.from(part)
    if (wire.buffered) whole.push(bytes)
    else yield* split(bytes, wire.chunkBytes)
  }
  if (wire.buffered) yield* split(Buffer.concat(whole), wire.chunkBytes)
}

function* split(bytes: Uint8Array, every: number | null): Generator<Uint8Array> {
  const step = every ?? Math.max(1, bytes.length)
  for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step)
}
