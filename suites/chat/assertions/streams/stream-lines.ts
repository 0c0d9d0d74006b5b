/**
 * Judgements on the lines of a stream. Line ends of any kind, comments, `event`, `id` and `retry` lines, and
 * streams without tokens are all fine.
 */
import type { Judgement } from '../../../scenario/judgement.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { parseJson } from '../../../wire/json.ts'
import { crossCheck } from '../../../wire/sse.ts'
import { readStream, type DataLine, type FieldLine, type Line } from '../../../wire/sse.ts'
import { isObject } from '../../../assertions/answer.ts'
import { excerpt } from '../../../assertions/excerpt.ts'
import { broken, check, every, given, inconclusive, pass, weak } from '../../../scenario/expect.ts'
import { ended, events, streamed } from './stream.ts'
import { confirmed } from '../../../assertions/turn.ts'

const knownFields: readonly string[] = ['data', 'event', 'id', 'retry']

/** Judges all lines of a kind, of a stream that reached its end. */
function lines<T>(exchange: Exchange, items: readonly T[], judge: (item: T) => Judgement): Judgement {
  return given(streamed(exchange), () =>
    items.length > 0
      ? confirmed(every(items, judge), ended(exchange))
      : inconclusive('there are no such lines'),
  )
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
    const named = blocks.find(
      ({ type, json }) => type !== 'message' && isObject(json) && type !== json['type'],
    )
    if (named)
      return weak('an event field that repeats the type', `${named.type} for ${named.data}`, exchange)
    return confirmed({ is: 'pass', note: `lines end with ${ends.join(' and ')}` }, ended(exchange))
  })
}

/** Exactly `data: ` before each object, and no object that stands on a line of its own. */
export function dataPrefix(exchange: Exchange): Judgement {
  const meant = fieldLines(readStream(exchange).lines).filter(isMeantAsData)
  return lines(exchange, meant, (line) => {
    if (line.name !== 'data' || !line.space)
      return broken('a line that starts with `data: `', quoted(line), exchange)
    const spaced = line.value.startsWith(' ') && parseJson(line.value).ok
    return spaced ? weak('one space', quoted(line), exchange) : pass
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
