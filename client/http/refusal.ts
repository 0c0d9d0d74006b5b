/** Reads an error out of the answer that refuses. */
import { adviceFor, isKnownCode } from './advice.ts'
import { now } from './clock.ts'
import { ServiceError } from '../errors.ts'
import { isObject, isText, type JsonObject } from '../json.ts'

/** The contract names no member for a code: those that usually hold one are asked first. */
const usual = ['code', 'error_code', 'error']

const looksLikeCode = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/

/** In any casing, such as `key.invalid`; of `error`, which may also be a sentence of one word, only what is joined. */
const singleWord = /^[A-Za-z0-9]+([._:/-][A-Za-z0-9]+)*$/
const joinedWord = /^[A-Za-z0-9]+([._:/-][A-Za-z0-9]+)+$/
const shapes: Readonly<Record<string, RegExp>> = {
  code: singleWord,
  error_code: singleWord,
  error: joinedWord,
}

/** A flat body, or a failed receipt, whose `error` is an object. */
function flat(body: JsonObject): JsonObject {
  const { error } = body
  return isObject(error) ? error : body
}

/** Null where no text of the body is a code, or holds one as a word that the contract has for this status. */
export function codeIn(body: unknown, status: number): string | null {
  if (!isObject(body)) return null
  const members = flat(body)
  const texts = [...usual.map((name) => members[name]), ...Object.values(members)].filter(isText)
  const words = texts.flatMap((text) => text.split(/[^A-Za-z0-9_]+/))
  const known = [...texts, ...words].find((word) => isKnownCode(word, status))
  if (known !== undefined) return known
  const named = usual.map((name) => ({ text: members[name], shape: shapes[name] }))
  const shaped = named.find(({ text, shape }) => isText(text) && shape?.test(text))
  return texts.find((text) => looksLikeCode.test(text)) ?? (isText(shaped?.text) ? shaped.text : null)
}

const longestWords = 500

function wordsIn(body: unknown, code: string | null): string | null {
  if (isText(body)) return body === '' ? null : body.slice(0, longestWords)
  if (!isObject(body)) return null
  const { message, error } = flat(body)
  const words = [message, error].find((text) => isText(text) && text !== code && text !== '')
  return isText(words) ? words.slice(0, longestWords) : null
}

const numberOf = (value: unknown): number | undefined => {
  const number = isText(value) && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** In the body, or in `Retry-After` as seconds or as a date. */
function retryAfter(body: unknown, headers: Headers): number | undefined {
  const inBody = isObject(body) ? numberOf(body['retry_after_seconds']) : undefined
  const header = headers.get('retry-after')
  const seconds = inBody ?? (header === null ? undefined : numberOf(header))
  if (seconds !== undefined) return Math.max(0, seconds)
  if (header === null) return undefined
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now()) / 1000))
}

export interface Refused {
  readonly status: number
  readonly headers: Headers
  /** JSON where it was JSON, else text. */
  readonly body: unknown
}

/** `resolution` of a failed receipt is advice, and nearer to the matter than ours. */
export function serviceErrorOf({ status, headers, body }: Refused, otherAdvice?: string): ServiceError {
  const code = codeIn(body, status)
  const resolution = isObject(body) ? flat(body)['resolution'] : undefined
  const members = isObject(body) ? body : {}
  return new ServiceError({
    status,
    code,
    body,
    words: wordsIn(body, code),
    advice: otherAdvice ?? (isText(resolution) ? resolution : adviceFor(code, status)),
    retryAfterSeconds: retryAfter(body, headers),
    creditsRequired: numberOf(members['credits_required']),
    creditsRemaining: numberOf(members['credits_remaining']),
  })
}
