/** A request that meets trouble: from what happens to it to what goes out. */
import { uncounted } from '../chat/handler.ts'
import { errorBody, refuseChat } from '../edge/refusal.ts'
import { jsonReply, type HeaderLine, type Reply, type StreamEvent, frame } from '../edge/reply.ts'
import { asBytes, Broken, drop, sendReply, type ResponseLine } from './send.ts'
import type { JsonObject } from '../json.ts'
import type { TenantState } from '../rules/tenant-state.ts'
import type { NetworkFaultAction, StreamEncoding, Writes } from '../tenant/network-fault.ts'
import { encodeJson, type WireStyle } from '../edge/wire.ts'
import type { TenantClock } from '../clock/clock.ts'

const commentEveryMs = 100

/** The bytes of a stream, a write each. Throws `Broken` where its connection is to break. */
async function* encodedStream(
  events: AsyncIterable<StreamEvent>,
  encoding: StreamEncoding,
  { wire, clock }: { readonly wire: WireStyle; readonly clock: TenantClock },
): AsyncGenerator<Uint8Array> {
  const { writes, gapMs = 0 } = encoding
  const text = texts(events, encoding, styleOf(encoding, wire), clock)
  let first = true
  for await (const bytes of inWrites(text, writes)) {
    // Without a pause the machine would put several writes into one packet.
    if (!first) await (gapMs > 0 ? clock.sleep(gapMs, { label: 'gap between writes' }) : clock.yield())
    first = false
    yield bytes
  }
}

function styleOf({ lineEnd, tight }: StreamEncoding, wire: WireStyle): WireStyle {
  return { ...wire, eol: lineEnd ?? wire.eol, dataPrefix: tight ? 'data:' : wire.dataPrefix }
}

async function* texts(
  events: AsyncIterable<StreamEvent>,
  encoding: StreamEncoding,
  style: WireStyle,
  clock: TenantClock,
): AsyncGenerator<string> {
  const { first = '', before = '', last = '', end, silence, noFinalBlank } = encoding
  let count = 0
  const behind = async function* (event?: StreamEvent): AsyncGenerator<string> {
    yield* inserted(encoding, count, style, event)
    if (silence?.behind === count) yield* silent(silence, style, clock)
    if (end?.behind === count && end.by !== 'close') throw new Broken(end.by)
  }
  if (first !== '') yield first
  yield* behind()
  if (end?.behind === 0) return
  for await (const { event, isLast } of noFinalBlank ? marked(events) : unmarked(events)) {
    count++
    yield before + frame(event, isLast ? { ...style, blankLines: 0 } : style, count)
    yield* behind(event)
    if (end?.behind === count) return
  }
  if (last !== '') yield last
}

function* inserted(
  { insert = [] }: StreamEncoding,
  count: number,
  style: WireStyle,
  before: StreamEvent | undefined,
): Generator<string> {
  for (const { behind, event, raw, again } of insert) {
    if (behind !== count) continue
    if (event) yield dataLine(event as JsonObject, style)
    if (again && before) yield dataLine(before, style)
    if (raw !== undefined) yield raw
  }
}

function dataLine(value: JsonObject, style: WireStyle): string {
  return `${style.dataPrefix}${encodeJson(value, style)}${style.eol}${style.eol}`
}

async function* silent(
  { ms, comments }: NonNullable<StreamEncoding['silence']>,
  { eol }: WireStyle,
  clock: TenantClock,
): AsyncGenerator<string> {
  const step = comments ? commentEveryMs : ms
  for (let passed = 0; passed < ms; passed += step) {
    await clock.sleep(Math.min(step, ms - passed), { label: 'silence' })
    if (comments) yield `: still here${eol}${eol}`
  }
}

interface Marked {
  readonly event: StreamEvent
  readonly isLast: boolean
}

async function* unmarked(events: AsyncIterable<StreamEvent>): AsyncGenerator<Marked> {
  for await (const event of events) yield { event, isLast: false }
}

/** Each event once the next one is there, or none is. */
async function* marked(events: AsyncIterable<StreamEvent>): AsyncGenerator<Marked> {
  let held: StreamEvent | undefined
  for await (const event of events) {
    if (held) yield { event: held, isLast: false }
    held = event
  }
  if (held) yield { event: held, isLast: true }
}

const isLineEnd = (byte: number | undefined): boolean => byte === 10 || byte === 13

/** Whether a write ends before a byte; `offset`: where the bytes begin within the stream. */
type Border = (bytes: Uint8Array, at: number, offset: number) => boolean

const borders: Readonly<Record<Exclude<Writes, 'whole' | object>, Border>> = {
  'every-byte': () => true,
  // Of the bytes of a character in UTF-8, all but the first begin with the bits 10.
  'within-characters': (bytes, at) => ((bytes[at] ?? 0) & 0xc0) === 0x80,
  'within-line-ends': (bytes, at) => isLineEnd(bytes[at]) || isLineEnd(bytes[at - 1]),
}

function borderOf(writes: Exclude<Writes, 'whole'> | undefined): Border {
  if (writes === undefined) return () => false
  if (typeof writes === 'string') return borders[writes]
  const places = new Set(writes.at)
  return (_bytes, at, offset) => places.has(offset + at)
}

async function* inWrites(
  text: AsyncIterable<string>,
  writes: StreamEncoding['writes'],
): AsyncGenerator<Uint8Array> {
  if (writes === 'whole') {
    yield* atOnce(text)
    return
  }
  const border = borderOf(writes)
  let offset = 0
  for await (const part of text) {
    const bytes = Buffer.from(part)
    let from = 0
    for (let at = 1; at < bytes.length; at++)
      if (border(bytes, at, offset)) {
        yield bytes.subarray(from, at)
        from = at
      }
    yield bytes.subarray(from)
    offset += bytes.length
  }
}

/** What came before a break still goes out. */
async function* atOnce(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const parts: string[] = []
  let broken: unknown
  try {
    for await (const part of text) parts.push(part)
  } catch (reason) {
    broken = reason
  }
  yield Buffer.from(parts.join(''))
  if (broken) throw broken
}

type Kind<K extends NetworkFaultAction['is']> = Extract<NetworkFaultAction, { is: K }>

function one<K extends NetworkFaultAction['is']>(
  met: readonly NetworkFaultAction[],
  kind: K,
): Kind<K> | undefined {
  return met.find((trouble): trouble is Kind<K> => trouble.is === kind)
}

/** `ask`: the answer of the service, and all that it does. Resolves when everything went out, or the line broke. */
export async function applyNetworkFaults(
  line: ResponseLine,
  met: readonly NetworkFaultAction[],
  ask: () => Reply | Promise<Reply>,
): Promise<void> {
  const { state, response } = line
  const [cut, wait, encode] = [one(met, 'cut'), one(met, 'wait'), one(met, 'encode')]
  if (cut?.when === 'before') return drop(line, cut.reset)
  const reply = instead(line, met) ?? (await ask())
  if (wait) await state.clock.sleep(wait.ms, { label: 'wait on the wire' })
  if (cut?.when === 'after') {
    await workOf(reply)
    return drop(line, cut.reset)
  }
  if (response.destroyed) return
  const encoded =
    encode && reply.kind === 'stream'
      ? asBytes(line, reply, (events) => encodedStream(events, encode.as, state))
      : reply
  if (!cut) return sendReply(line, encoded)
  const whole = asBytes(line, encoded)
  return sendReply(line, whole.kind === 'drop' ? whole : { ...whole, chunks: brokenOff(whole.chunks, cut) })
}

/** The answer that comes without the service; the first that is asked for. */
function instead({ state, entry }: ResponseLine, met: readonly NetworkFaultAction[]): Reply | undefined {
  const trouble = met.find(({ is }) => is === 'refuse' || is === 'answer')
  if (trouble?.is === 'answer') return given(trouble)
  if (trouble?.is !== 'refuse') return undefined
  entry.turn.code = trouble.code
  return refusalOf(state, trouble)
}

function refusalOf(
  tenantState: TenantState,
  { is: _is, code, retryAfterSeconds = 1, ...limits }: Kind<'refuse'>,
): Reply {
  const { rules } = tenantState
  const usual = uncounted(tenantState)
  const retryAfterMs = retryAfterSeconds * 1_000
  const over = { remaining: 0, ...limits, retryAfterMs, resetAt: usual.now + retryAfterMs }
  const isLimited = code === 'RATE_LIMITED'
  const state = isLimited ? { ...usual, ...over } : usual
  const short: JsonObject =
    code === 'INSUFFICIENT_CREDITS' ? { credits_required: 1, credits_remaining: 0 } : {}
  const refusal = refuseChat(code, undefined, isLimited ? rules.rateBody(state) : short)
  const body = errorBody(refusal, rules)
  return jsonReply(refusal.status, body, { operation: 'chat', code }, rules.rateHeaders(state))
}

function given({ status, headers = {}, body }: Kind<'answer'>): Reply {
  const bytes = Buffer.from(body)
  const own: HeaderLine[] = Object.entries(headers)
  const length: HeaderLine[] = own.some(([name]) => name.toLowerCase() === 'content-length')
    ? []
    : [['Content-Length', `${bytes.length}`]]
  return {
    kind: 'bytes',
    status,
    headers: [...own, ...length],
    chunks: [bytes],
    about: { operation: 'none' },
  }
}

/** A stream is done when its last event is there, whoever hears it. */
async function workOf(reply: Reply): Promise<void> {
  if (reply.kind !== 'stream') return
  const events = reply.events[Symbol.asyncIterator]()
  try {
    while (!(await events.next()).done);
  } catch {
    // The turn broke off, and so does the line.
  }
}

/** The beginning of a body, and then the connection breaks. */
async function* brokenOff(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { bytes, reset }: Kind<'cut'>,
): AsyncGenerator<Uint8Array> {
  const by = reset ? 'reset' : 'cut'
  if (bytes === undefined) {
    const whole = await together(chunks)
    yield whole.subarray(0, whole.length >> 1)
    throw new Broken(by)
  }
  let left = bytes
  for await (const chunk of chunks) {
    if (left <= 0) break
    yield chunk.subarray(0, left)
    left -= chunk.length
  }
  throw new Broken(by)
}

async function together(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}
