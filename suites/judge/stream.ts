/**
 * Judgements on a stream as bytes and lines. Line ends of any kind, comments, `event`, `id` and `retry`
 * lines, and streams without tokens are all fine; what a line says is judged in `stream-events.ts`.
 */
import type { Judgement } from '../engine/judgement.ts'
import { contentType, header } from '../wire/body.ts'
import type { Exchange } from '../wire/exchange.ts'
import { crossCheck } from '../wire/sse-crosscheck.ts'
import { readStream, type DataLine, type FieldLine, type Line } from '../wire/sse.ts'
import { answered, isObject, shown } from './answer.ts'
import { broken, check, every, given, inconclusive, pass, weak } from './expect.ts'
import { isStream, type Fields } from './reply.ts'
import { confirmed } from './turn.ts'

const terminals: readonly unknown[] = ['done', 'error']
const knownFields: readonly string[] = ['data', 'event', 'id', 'retry']
const mostAfterTerminalMs = 5000

/**
 * The objects of a stream in order: one for each event, or one for each data line where lines that are not
 * separated add up to no JSON. What separates them is judged by itself.
 */
export function events(exchange: Exchange, type?: string): readonly Fields[] {
  const found = readStream(exchange)
    .events.flatMap(({ json, dataLines }): readonly unknown[] =>
      isObject(json) ? [json] : dataLines.map((line) => (line.json.ok ? line.json.value : null)),
    )
    .filter(isObject)
  return type === undefined ? found : found.filter((event) => event['type'] === type)
}

export function isTerminal(event: Fields): boolean {
  return terminals.includes(event['type'])
}

/** Where the first `done` or `error` stands, and when it was there as a whole. */
export function terminalOf(exchange: Exchange): { at: number; offset: number } | null {
  const found = readStream(exchange).events.flatMap(({ json, lines, at, dataLines }) => {
    if (isObject(json)) return isTerminal(json) ? [{ at, offset: lines.at(-1)?.offset ?? 0 }] : []
    const line = dataLines.find(
      (one) => one.json.ok && isObject(one.json.value) && isTerminal(one.json.value),
    )?.line
    return line ? [{ at: line.at, offset: line.offset }] : []
  })
  return found[0] ?? null
}

/**
 * The answer is a stream, and all of it came; a body that only does not end counts once its `done` or `error`
 * was seen. Anything else is no subject for a judgement on streams.
 */
export function streamed(exchange: Exchange): Judgement {
  const { failure, response, name } = exchange
  if (response?.status !== 200)
    return given(answered(exchange), () => inconclusive(`\`${name}\` was answered ${response?.status}`))
  if (!isStream(exchange)) return inconclusive(`\`${name}\` was not answered with a stream`)
  const over = failure === null || events(exchange).some(isTerminal)
  return over ? pass : inconclusive(`the stream of \`${name}\` broke off: ${failure.message}`)
}

/** The stream reached its `done` or `error`: the control of every judgement that something is not there. */
export function ended(exchange: Exchange): Judgement {
  return given(streamed(exchange), () =>
    events(exchange).some(isTerminal) ? pass : broken('a `done` or `error` event', shown(exchange), exchange),
  )
}

/** Judges all lines of a kind, of a stream that reached its end. */
function lines<T>(exchange: Exchange, items: readonly T[], judge: (item: T) => Judgement): Judgement {
  return given(streamed(exchange), () =>
    items.length > 0
      ? confirmed(every(items, judge), ended(exchange))
      : inconclusive('there are no such lines'),
  )
}

/** `text/event-stream`, with any parameters; the note tells what advice on caching it follows. */
export function streamType(exchange: Exchange): Judgement {
  const { response } = exchange
  if (response?.status !== 200) return streamed(exchange)
  const got = contentType(exchange)?.essence ?? 'no content type'
  if (!isStream(exchange)) return broken('content type text/event-stream', got, exchange)
  const caching = header(exchange, 'cache-control').join(', ') || 'none'
  return confirmed({ is: 'pass', note: `cache-control: ${caching}` }, ended(exchange))
}

export function streamCharset(exchange: Exchange): Judgement {
  return given(streamed(exchange), () => {
    const charset = contentType(exchange)?.params['charset'] ?? 'utf-8'
    return confirmed(
      check(/^utf-?8$/i.test(charset), 'charset utf-8, or none', `charset ${charset}`, exchange),
      ended(exchange),
    )
  })
}

/** Of a request that accepts `identity` only. */
export function notEncoded(exchange: Exchange): Judgement {
  return given(streamed(exchange), () => {
    const codings = header(exchange, 'content-encoding').join(', ') || 'identity'
    return confirmed(
      check(codings.toLowerCase() === 'identity', 'no content-encoding', codings, exchange),
      ended(exchange),
    )
  })
}

/** The body ended as its framing promises. Here a broken connection is the point. */
export function cleanEnd(exchange: Exchange): Judgement {
  const { failure, response } = exchange
  if (
    failure &&
    response?.status === 200 &&
    isStream(exchange) &&
    ['reset', 'protocol'].includes(failure.kind)
  )
    return broken('a body that ends cleanly', `${failure.kind}: ${failure.message}`, exchange)
  if (failure) return inconclusive(`the body was not seen to end: ${failure.message}`)
  return given(ended(exchange), () => {
    const framing =
      header(exchange, 'content-length').length > 0 ? 'sent with a length' : 'sent as it came about'
    return response?.complete
      ? { is: 'pass', note: framing }
      : broken('a whole body', 'it broke off', exchange)
  })
}

/** Ends soon after its terminal event; the note tells whether events came as they happened. */
export function closesSoon(exchange: Exchange): Judgement {
  return given(ended(exchange), () => {
    const after = Math.round(exchange.endedAt - (terminalOf(exchange)?.at ?? 0))
    if (after > mostAfterTerminalMs) return broken('an end within 5 s', `open for ${after} ms`, exchange)
    return { is: 'pass', note: pace(exchange) }
  })
}

function pace(exchange: Exchange): string {
  const [first, last] = [readStream(exchange).events[0]?.at ?? 0, exchange.endedAt]
  const whole = last - exchange.sentAt
  if (whole < 1000) return 'too short to tell whether events came as they happened'
  return first - exchange.sentAt < whole / 2 ? 'the first event came early' : 'the first event came late'
}

/** UTF-8 throughout; a replacement character in a token that the whole reply does not have is a cut one. */
export function utf8(exchange: Exchange): Judgement {
  return given(streamed(exchange), () => {
    const bad = readStream(exchange).lines.find((line) => !line.valid)
    if (bad) return broken('UTF-8', `other bytes in ${quoted(bad)}`, exchange)
    const torn = (text: unknown): boolean => typeof text === 'string' && text.includes('\uFFFD')
    const [done] = events(exchange, 'done')
    const cut = events(exchange, 'token').some((event) => torn(event['token']))
    if (done && cut && !torn(done['response']))
      return weak('whole characters in tokens', 'U+FFFD in a token', exchange)
    return confirmed(pass, ended(exchange))
  })
}

/** Every line is empty, a comment or a known field; further oddities that a client survives are weak. */
export function knownLines(exchange: Exchange): Judgement {
  return given(streamed(exchange), () => {
    const { lines, bom, events: blocks } = readStream(exchange)
    const odd = fieldLines(lines).find(({ name }) => !knownFields.includes(name))
    if (odd) return broken('an empty line, a comment or a known field', quoted(odd), exchange)
    if (bom) return weak('no byte order mark', 'one at the beginning', exchange)
    const ends = [...new Set(lines.map(({ eol }) => eol).filter((eol) => eol !== 'none'))].sort()
    if (ends.length > 1) return weak('one kind of line end', ends.join(' and '), exchange)
    const named = blocks.find(
      ({ type, json }) => type !== 'message' && isObject(json) && type !== json['type'],
    )
    if (named)
      return weak('an event field that repeats the type', `${named.type} for ${named.data}`, exchange)
    return confirmed({ is: 'pass', note: `lines end with ${ends.join()}` }, ended(exchange))
  })
}

/** Exactly `data: ` before each object, and no object that stands on a line of its own. */
export function dataPrefix(exchange: Exchange): Judgement {
  const meant = fieldLines(readStream(exchange).lines).filter(isMeantAsData)
  return lines(exchange, meant, (line) => {
    if (line.name !== 'data' || !line.space)
      return broken('a line that starts with `data: `', quoted(line), exchange)
    return line.value.startsWith(' ') ? weak('one space', quoted(line), exchange) : pass
  })
}

function isMeantAsData(line: FieldLine): boolean {
  return line.name.trim().toLowerCase() === 'data' || /^\s*\{.*"type"/.test(line.text)
}

/** One JSON object on each data line. */
export function dataJson(exchange: Exchange): Judgement {
  return lines(exchange, dataLines(exchange), ({ line, json }) =>
    check(json.ok && isObject(json.value), 'one JSON object after `data: `', quoted(line), exchange),
  )
}

/** Each of these objects has a string `type`. */
export function dataType(exchange: Exchange): Judgement {
  const objects = dataLines(exchange).filter(({ json }) => json.ok && isObject(json.value))
  return lines(exchange, objects, ({ line, json }) => {
    const type = json.ok && isObject(json.value) ? json.value['type'] : undefined
    return check(typeof type === 'string', 'an object with a string `type`', quoted(line), exchange)
  })
}

/** An empty line between two data lines: otherwise a standard client joins them into one event. */
export function separated(exchange: Exchange): Judgement {
  return lines(exchange, readStream(exchange).events, ({ dataLines, data }) =>
    check(dataLines.length === 1, 'an empty line between two data lines', excerpt(data), exchange),
  )
}

/** The last event is finished by an empty line: otherwise a standard client never sees it. */
export function finalBlank(exchange: Exchange): Judgement {
  return lines(exchange, readStream(exchange).events.slice(-1), ({ terminated, data }) =>
    check(terminated, 'an empty line after the last event', `the body ends after ${excerpt(data)}`, exchange),
  )
}

/** What a second reader of the same bytes makes of a well framed stream; if it differs, neither is believed. */
export function agreed(exchange: Exchange, judgement: Judgement): Judgement {
  if (judgement.is !== 'pass') return judgement
  const [first] = crossCheck(readStream(exchange))
  return first
    ? inconclusive(`two readers see event ${first.index} differently: ${first.ours} and ${first.theirs}`)
    : judgement
}

/** Everything about the framing of one stream at once. */
export function wellFramed(exchange: Exchange): Judgement {
  const judges = [utf8, dataPrefix, dataJson, dataType, separated, finalBlank]
  return agreed(
    exchange,
    every(judges, (judge) => judge(exchange)),
  )
}

function dataLines(exchange: Exchange): readonly DataLine[] {
  return readStream(exchange).events.flatMap((event) => event.dataLines)
}

function fieldLines(lines: readonly Line[]): readonly FieldLine[] {
  return lines.filter((line) => line.kind === 'field')
}

function quoted({ text }: Line): string {
  return JSON.stringify(excerpt(text))
}

function excerpt(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}
