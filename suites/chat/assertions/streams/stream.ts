/** Judgements on a stream as a whole. Its lines are judged in `stream-lines.ts`, its events in `stream-events.ts`. */
import type { Judgement } from '../../../scenario/scenario.ts'
import { type Exchange, contentType, header } from '../../../wire/exchange.ts'
import { readSseBody } from '../../../wire/sse.ts'
import { answered, shown, statusOf, unbroken } from '../../../assertions/answer.ts'
import { isObject } from '../../../../spec/json.ts'
import { fail, check, given, inconclusive, pass, all, inTurn, need } from '../../../scenario/expect.ts'
import { isStream, type Fields, events, field, inForm, sameField } from '../../../assertions/reply.ts'
import { confirmed, accepts, replied } from '../../../assertions/turn.ts'
import { replayed } from '../../../assertions/once.ts'

const terminals: readonly unknown[] = ['done', 'error']
const mostAfterTerminalMs = 5000

/**
 * The objects of a stream in order: one for each event, or one for each data line if lines that are not separated
 * form no valid JSON. Separation is judged elsewhere.
 */
export function eventsOf(exchange: Exchange, type?: string): readonly Fields[] {
  const found = readSseBody(exchange)
    .events.flatMap(({ json, dataLines }): readonly unknown[] =>
      isObject(json) ? [json] : dataLines.map((line) => (line.json.ok ? line.json.value : null)),
    )
    .filter(isObject)
  return type === undefined ? found : found.filter((event) => event['type'] === type)
}

export function isTerminal(event: Fields): boolean {
  return terminals.includes(event['type'])
}

/** Position of the first `done` or, without one, the first `error`, and the time at which it was complete. */
export function terminalOf(exchange: Exchange): { at: number; offset: number } | null {
  return firstOf(exchange, 'done') ?? firstOf(exchange, 'error')
}

function firstOf(exchange: Exchange, type: string): { at: number; offset: number } | null {
  const is = (value: unknown): boolean => isObject(value) && value['type'] === type
  const found = readSseBody(exchange).events.flatMap(({ json, lines, at, dataLines }) => {
    if (isObject(json)) return is(json) ? [{ at, offset: lines.at(-1)?.offset ?? 0 }] : []
    const line = dataLines.find((one) => one.json.ok && is(one.json.value))?.line
    return line ? [{ at: line.at, offset: line.offset }] : []
  })
  return found[0] ?? null
}

/**
 * The response is a complete stream; a body that does not end counts once its `done` or `error` arrived. Anything
 * else is inconclusive.
 */
export function wholeStream(exchange: Exchange): Judgement {
  const { failure, name } = exchange
  if (statusOf(exchange) !== 200)
    return given(answered(exchange), () => inconclusive(`\`${name}\` was answered ${statusOf(exchange)}`))
  if (!isStream(exchange)) return inconclusive(`\`${name}\` was not answered with a stream`)
  const over = failure === null || exchange.recurred !== undefined || eventsOf(exchange).some(isTerminal)
  return over
    ? pass
    : inconclusive(`the stream of \`${name}\` broke off: ${failure.message}`, unbroken(exchange))
}

/** The stream reached its `done` or `error`: the control of every judgement that something is absent. */
export function ended(exchange: Exchange): Judgement {
  return given(wholeStream(exchange), () =>
    eventsOf(exchange).some(isTerminal) ? pass : fail('a `done` or `error` event', shown(exchange), exchange),
  )
}

/** The stream is complete and reports no failure: what is missing in it is missing. */
export function notFailed(exchange: Exchange): Judgement {
  return given(wholeStream(exchange), () => {
    const found = eventsOf(exchange)
    const failed = found.some(({ type }) => type === 'error') && !found.some(({ type }) => type === 'done')
    return failed ? inconclusive(`the turn of \`${exchange.name}\` failed`) : pass
  })
}

/** `text/event-stream`, with any parameters; the note lists the caching advice that it follows. */
export function streamType(exchange: Exchange): Judgement {
  if (statusOf(exchange) !== 200) return wholeStream(exchange)
  const got = contentType(exchange)?.essence ?? 'no content type'
  if (!isStream(exchange)) return fail('content type text/event-stream', got, exchange)
  const caching = header(exchange, 'cache-control').join(', ') || 'none'
  return confirmed({ is: 'pass', note: `cache-control: ${caching}` }, ended(exchange))
}

export function streamCharset(exchange: Exchange): Judgement {
  return given(wholeStream(exchange), () => {
    const charset = contentType(exchange)?.params['charset'] ?? 'utf-8'
    return confirmed(
      check(/^utf-?8$/i.test(charset), 'charset utf-8, or none', `charset ${charset}`, exchange),
      ended(exchange),
    )
  })
}

/** Not encoded, since the request accepts only `identity`. */
export function notEncoded(exchange: Exchange): Judgement {
  const codings = header(exchange, 'content-encoding').join(', ') || 'identity'
  return check(codings.toLowerCase() === 'identity', 'no content-encoding', codings, exchange)
}

/** The body ended as its framing declares. Here a broken connection fails. */
export function cleanEnd(exchange: Exchange): Judgement {
  const { failure, response } = exchange
  const broken = unbroken(exchange)
  if (broken.is !== 'pass') return broken
  if (failure) return inconclusive(`the body was not seen to end: ${failure.message}`)
  return given(ended(exchange), () => {
    const framing =
      header(exchange, 'content-length').length > 0 ? 'sent with a length' : 'sent as it came about'
    return response?.complete ? { is: 'pass', note: framing } : fail('a whole body', 'it broke off', exchange)
  })
}

/** Ends soon after its terminal event; the note states whether events arrived as they happened. */
export function closesSoon(exchange: Exchange): Judgement {
  return given(ended(exchange), () => {
    const after = Math.round(exchange.endedAt - (terminalOf(exchange)?.at ?? 0))
    if (after > mostAfterTerminalMs) return fail('an end within 5 s', `open for ${after} ms`, exchange)
    if (['timeout', 'aborted', 'cut'].includes(exchange.failure?.kind ?? ''))
      return inconclusive(`open for ${after} ms when we went away`)
    return { is: 'pass', note: pace(exchange) }
  })
}

function pace(exchange: Exchange): string {
  const [first, last] = [readSseBody(exchange).events[0]?.at ?? 0, exchange.endedAt]
  const whole = last - exchange.sentAt
  if (whole < 1000) return 'too short to show whether events arrived as they happened'
  return first - exchange.sentAt < whole / 2 ? 'the first event came early' : 'the first event came late'
}

/** Judgements on the replay of a streamed turn. Tokens before `done` may be repeated or not. */
export function oneDone(exchange: Exchange): Judgement {
  return given(wholeStream(exchange), () => {
    const count = events(exchange, 'done').length
    return check(count === 1, 'exactly one `done`', `${count} of them`, exchange)
  })
}

export function replayedStream(first: Exchange, again: Exchange): Judgement {
  return inTurn(need(all(oneDone(first), replayed(first, again))), need(accepts(again)), () => {
    const form = inForm(again, 'stream')
    return form.is === 'pass' ? oneDone(again) : form
  })
}

export function sameInDone(
  first: Exchange,
  again: Exchange,
  name: 'response' | 'conversation_id',
): Judgement {
  return inTurn(need(oneDone(first)), need(field(first, name, 'string')), sameField(first, again, name))
}

/** A replayed stream has no `error`, and nothing after its `done`. */
export function onlyDone(first: Exchange, again: Exchange): Judgement {
  return inTurn(need(replayed(first, again)), need(replied(again)), () => {
    const found = events(again)
    const at = found.findIndex(isTerminal)
    const types = found.map((event) => String(event['type'])).join(', ')
    if (found.some((event) => event['type'] === 'error')) return fail('no `error`', types, again)
    return check(at === found.length - 1, 'nothing after `done`', types, again)
  })
}
