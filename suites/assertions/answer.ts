/** Judgements on one answer: its status, its headers, its error. */
import { joined } from '../../bundle/chunks.ts'
import { isObject, type JsonObject } from '../../spec/json.ts'
import type { ChatErrorCode } from '../../spec/index.ts'
import type { Judgement } from '../scenario/scenario.ts'
import {
  identifiersIn,
  type Exchange,
  excerpt,
  contentType,
  deniesReplay,
  header as headerValues,
  json,
  member,
  parseJson,
  text,
} from '../wire/exchange.ts'
import { fail, check, given, inconclusive, pass, warn } from '../scenario/expect.ts'

/** Statuses that say nothing about a clause unless they were the point. */
const noVerdict: readonly number[] = [402, 429, 503]
/** A gateway sends them in place of the service, whose chat routes have neither status. */
const fromGateway: readonly number[] = [502, 504]

/** 0 where nothing was answered. */
export function statusOf({ response }: Exchange): number {
  return response?.status ?? 0
}

/** The name of the header that marks a replay, in lower case. */
export function replayHeaderOf(exchange: Exchange): string {
  return identifiersIn(exchange).replayHeader.toLowerCase()
}

export function isReplay(exchange: Exchange): boolean {
  return headerValues(exchange, replayHeaderOf(exchange)).some((value) => !deniesReplay(value))
}

/** Of a request that went out twice: answered as its own first sending, which nobody saw the answer of, would have it. */
function meetsItself(exchange: Exchange): boolean {
  if (exchange.resent !== true) return false
  const codes = codesOf(exchange)
  const waits = codes.includes('REQUEST_IN_PROGRESS') || codes.includes('OUTCOME_UNCERTAIN')
  return isReplay(exchange) || waits
}

export function isStream(exchange: Exchange): boolean {
  return contentType(exchange)?.essence === 'text/event-stream'
}

/** Fails where the connection of a stream was broken. */
export function unbroken(exchange: Exchange): Judgement {
  const { failure } = exchange
  if (failure === null || statusOf(exchange) !== 200 || !isStream(exchange)) return pass
  const got = `${failure.kind}: ${failure.message}`
  return check(!['reset', 'protocol'].includes(failure.kind), 'a body that ends cleanly', got, exchange)
}

/** An answer came, whole, and not one that says nothing about the subject. */
export function answered(exchange: Exchange, ...expected: readonly number[]): Judgement {
  const { failure, response, name } = exchange
  if (failure)
    return inconclusive(
      `\`${name}\` got no whole answer: ${failure.kind}, ${failure.message}`,
      unbroken(exchange),
    )
  if (!response) return inconclusive(`\`${name}\` got no answer`)
  if (meetsItself(exchange))
    return inconclusive(
      `\`${name}\` went out twice, because its connection was closed, and may have met itself`,
    )
  const { status } = response
  if (exchange.recurred || expected.includes(status)) return pass
  if (noVerdict.includes(status))
    return inconclusive(`\`${name}\` was answered ${status}, which is not the point here`)
  if (fromGateway.includes(status))
    return inconclusive(`\`${name}\` got ${status}, which a gateway sends in place of the service`)
  return pass
}

export function status(exchange: Exchange, ...expected: readonly number[]): Judgement {
  return given(answered(exchange, ...expected), () => {
    const got = statusOf(exchange)
    const always = exchange.recurred ? `, in each of ${exchange.recurred} attempts` : ''
    return check(
      expected.includes(got),
      `status ${expected.join(' or ')}`,
      `status ${got}${always}`,
      exchange,
    )
  })
}

export function refused(exchange: Exchange): Judgement {
  return given(answered(exchange, 402), () => {
    const got = statusOf(exchange)
    return check(got >= 400 && got < 500, 'a status from 400 to 499', `status ${got}`, exchange)
  })
}

export function noServerError(exchange: Exchange): Judgement {
  return given(answered(exchange), () => {
    const got = statusOf(exchange)
    return check(got < 500, 'a status below 500', `status ${got}`, exchange)
  })
}

/** The header stands there once, with exactly this value. */
export function header(exchange: Exchange, name: string, value: string): Judgement {
  return given(answered(exchange), () => {
    const got = headerValues(exchange, name)
    const shown = got.length ? got.join(' | ') : 'no such header'
    return check(got.length === 1 && got[0] === value, `header ${name}: ${value}`, shown, exchange)
  })
}

export function markedReplay(exchange: Exchange): Judgement {
  return header(exchange, replayHeaderOf(exchange), 'true')
}

/** It is not said to be a replay: there is no such header, or it denies it. */
export function unmarked(exchange: Exchange): Judgement {
  return given(answered(exchange), () => {
    const name = replayHeaderOf(exchange)
    const got = headerValues(exchange, name).join(' | ')
    return check(!isReplay(exchange), `no header ${name}`, got, exchange)
  })
}

/** The body is said to be JSON, or nothing is said of it. */
export function isJson(exchange: Exchange): boolean {
  const essence = contentType(exchange)?.essence ?? 'application/json'
  return essence === 'application/json' || essence.endsWith('+json')
}

/** Requires a JSON content type. HTTP does not require a content type: a missing one is a warning. */
export function jsonTyped(exchange: Exchange): Judgement {
  const essence = contentType(exchange)?.essence
  if (essence === undefined) return warn('a JSON content type', 'no content type', exchange)
  return check(isJson(exchange), 'a JSON content type', essence, exchange)
}

export function object(exchange: Exchange): JsonObject | null {
  const body = json(exchange)
  return body.ok && isObject(body.value) ? body.value : null
}

/** A chat error: a JSON object with a text `error`. */
export function flatError(exchange: Exchange): Judgement {
  const body = object(exchange)
  if (!body) return fail('a JSON object', shown(exchange), exchange)
  const { error } = body
  return check(
    typeof error === 'string' && error !== '',
    'a text `error`',
    JSON.stringify(error) ?? 'none',
    exchange,
  )
}

/** The answer names this code: as a whole word where the target says that it stands, else in some text. */
export function code(exchange: Exchange, expected: ChatErrorCode): Judgement {
  const place = exchange.codeAt === undefined ? 'in a text' : `at ${exchange.codeAt || 'the top'}`
  return given(answered(exchange, 402), () =>
    check(codesOf(exchange).includes(expected), `the code ${expected} ${place}`, shown(exchange), exchange),
  )
}

/** Every word in capitals of the texts that may carry a code; that they stand at the top is judged by `flatError`. */
export function codesOf(exchange: Exchange): readonly string[] {
  return textsFor(exchange).flatMap((value) => value.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? [])
}

/** The contract does not say which member carries a code: without a declared place every text may. */
function textsFor(exchange: Exchange): readonly string[] {
  const body = object(exchange)
  if (!body) return []
  if (exchange.codeAt === undefined) return textsOf(body)
  const found = member(exchange, exchange.codeAt)
  return typeof found === 'string' ? [found] : []
}

function textsOf(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsOf)
}

/** A refusal with this status and, where the contract names one, this code. */
export function refusal(exchange: Exchange, expected: number, named?: ChatErrorCode): Judgement {
  const judged = status(exchange, expected)
  return named && judged.is === 'pass' ? code(exchange, named) : judged
}

/** A refusal came as one JSON object and not as a stream; its content type is another clause. */
export function refusedByJson(exchange: Exchange): Judgement {
  return check(object(exchange) !== null, 'one JSON object', shown(exchange, 80), exchange)
}

/** The beginning of a body, for a person to read. */
export function shown(exchange: Exchange, length = 200): string {
  // A character has at most four bytes, and one more than `length` shows that it goes on.
  const text = joined(exchange.response?.chunks)
    .subarray(0, 4 * (length + 1))
    .toString()
  if (text === '') return 'an empty body'
  return excerpt(text, length)
}

/** What is said of a webhook that was not created, and what to do about it. */
const shownMost = 160

const isOfLimit = /\b(?:limit|maximum|at most|too many|quota|exceed)/i

/** How a creation was refused, with its body if that is JSON, else the first line of it, and what the target file may say. */
export function notCreated(exchange: Exchange): string {
  const { name, response } = exchange
  if (!response) return `no webhook was created: \`${name}\` was not answered`
  // JSON without line ends, however it was indented; of anything else the first line.
  const body = text(exchange).text.trim()
  const parsed = parseJson(body)
  const line = parsed.ok ? JSON.stringify(parsed.value) : (body.split(/\r?\n/, 1)[0] ?? '')
  const said = line === '' ? '' : `: ${line.slice(0, shownMost)}`
  const { status } = response
  const came = `no webhook was created: \`${name}\` was answered ${status}`
  return status < 300
    ? `${came}, without the strings \`id\` and \`secret_key\``
    : `${came}${said}${adviceOn(status, line)}`
}

function adviceOn(status: number, line: string): string {
  if (status === 409 || status === 429 || (status >= 400 && status < 500 && isOfLimit.test(line)))
    return '; where an agent may have few webhooks, remove those that nobody needs, or lower receiver.scenariosAtOnce'
  return status >= 400 && status < 500 && status !== 401
    ? '; if a creation needs more than the contract shows, declare it as webhooks.create.members or webhooks.create.headers'
    : ''
}
