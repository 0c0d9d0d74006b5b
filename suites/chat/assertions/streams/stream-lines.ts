/**
 * Judgements on the lines of a stream. Any line ends, comments, `event`, `id` and `retry` lines, and streams without
 * tokens are allowed.
 */
import type { Judgement } from '../../../scenario/scenario.ts'
import { type Exchange, parseJson, excerpt } from '../../../wire/exchange.ts'
import { crossCheck, readSseBody, type DataLine, type FieldLine, type SseLine } from '../../../wire/sse.ts'
import { isObject } from '../../../../spec/json.ts'
import { fail, check, every, given, inconclusive, pass, warn } from '../../../scenario/expect.ts'
import { ended, eventsOf, wholeStream } from './stream.ts'
import { confirmed } from '../../../assertions/turn.ts'

const knownFields: readonly string[] = ['data', 'event', 'id', 'retry']

function lines<T>(exchange: Exchange, items: readonly T[], judge: (item: T) => Judgement): Judgement {
  return given(wholeStream(exchange), () =>
    items.length > 0
      ? confirmed(every(items, judge), ended(exchange))
      : inconclusive('there are no such lines'),
  )
}

/** UTF-8 throughout; a replacement character in a token that is not in the whole reply is a character cut in two. */
export function utf8(exchange: Exchange): Judgement {
  return given(wholeStream(exchange), () => {
    const bad = readSseBody(exchange).lines.find((line) => !line.valid)
    if (bad) return fail('UTF-8', `other bytes in ${quoted(bad)}`, exchange)
    const torn = (text: unknown): boolean => typeof text === 'string' && text.includes('\uFFFD')
    const [done] = eventsOf(exchange, 'done')
    const cut = eventsOf(exchange, 'token').some((event) => torn(event['token']))
    if (done && cut && !torn(done['response']))
      return warn('whole characters in tokens', 'U+FFFD in a token', exchange)
    return confirmed(pass, ended(exchange))
  })
}

/** Every line is empty, a comment or a known field; other lines that clients ignore warn. */
export function knownLines(exchange: Exchange): Judgement {
  return given(wholeStream(exchange), () => {
    const { lines, bom, events: blocks } = readSseBody(exchange)
    const odd = fieldLines(lines).find(({ name }) => !knownFields.includes(name))
    if (odd) return fail('an empty line, a comment or a known field', quoted(odd), exchange)
    if (bom) return warn('no byte order mark', 'one at the beginning', exchange)
    const ends = [...new Set(lines.map(({ eol }) => eol).filter((eol) => eol !== 'none'))].sort()
    const named = blocks.find(
      ({ type, json }) => type !== 'message' && isObject(json) && type !== json['type'],
    )
    if (named)
      return warn('an event field that repeats the type', `${named.type} for ${named.data}`, exchange)
    return confirmed({ is: 'pass', note: `lines end with ${ends.join(' and ')}` }, ended(exchange))
  })
}

/** Exactly `data: ` before each object, and no object without it. */
export function dataPrefix(exchange: Exchange): Judgement {
  const meant = fieldLines(readSseBody(exchange).lines).filter(
    (line) => line.name.trim().toLowerCase() === 'data' || /^\s*\{.*"type"/.test(line.text),
  )
  return lines(exchange, meant, (line) => {
    if (line.name !== 'data' || !line.space)
      return fail('a line that starts with `data: `', quoted(line), exchange)
    const spaced = line.value.startsWith(' ') && parseJson(line.value).ok
    return spaced ? warn('one space', quoted(line), exchange) : pass
  })
}

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
  return lines(exchange, readSseBody(exchange).events, ({ dataLines, data }) =>
    check(dataLines.length === 1, 'an empty line between two data lines', excerpt(data), exchange),
  )
}

/** An empty line ends the last event: otherwise a standard client never receives it. */
export function finalBlank(exchange: Exchange): Judgement {
  return lines(exchange, readSseBody(exchange).events.slice(-1), ({ terminated, data }) =>
    check(terminated, 'an empty line after the last event', `the body ends after ${excerpt(data)}`, exchange),
  )
}

/** Compares with the result of a second parser for the same bytes; inconclusive if they differ. */
export function agreed(exchange: Exchange, judgement: Judgement): Judgement {
  if (judgement.is !== 'pass') return judgement
  const [first] = crossCheck(readSseBody(exchange))
  return first
    ? inconclusive(`two readers see event ${first.index} differently: ${first.ours} and ${first.theirs}`)
    : judgement
}

export function wellFramed(exchange: Exchange): Judgement {
  const judges = [utf8, dataPrefix, dataJson, dataType, separated, finalBlank]
  return agreed(
    exchange,
    every(judges, (judge) => judge(exchange)),
  )
}

function dataLines(exchange: Exchange): readonly DataLine[] {
  return readSseBody(exchange).events.flatMap((event) => event.dataLines)
}

function fieldLines(lines: readonly SseLine[]): readonly FieldLine[] {
  return lines.filter((line) => line.kind === 'field')
}

function quoted({ text }: SseLine): string {
  return JSON.stringify(excerpt(text))
}
