/** Writes events as Server-Sent Events, in the encoding of a wire style. */
import type { TenantClock } from '../tenant/clock/clock.ts'
import type { StreamEvent } from './reply.ts'
import { extended, encodeJson } from './encode-json.ts'
import { plainWire, type WireStyle } from './wire.ts'

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
