/** Reads an error out of the answer that refuses. */
import { now } from '../options/timeout.ts'
import { ServiceError } from '../errors.ts'
import { isObject, isText, type JsonObject } from '../json.ts'
import { chatErrors, receiptErrors, type ChatError } from '../../spec/errors.ts'

/** What to do about a refusal, by its code or else by its status. */
const ofChat = new Map<string, ChatError>(Object.entries(chatErrors))
const ofReceipts = new Map<string, string>(Object.entries(receiptErrors))

/** Whether the contract has this code for this status; what comes within a 200 may have any. */
function isKnownCode(word: string, status: number): boolean {
  return ofReceipts.has(word) || (ofChat.has(word) && (status < 400 || ofChat.get(word)?.status === status))
}

const later = 'Send the same request again later, with the same idempotency key.'

const byStatus: Readonly<Record<number, string>> = {
  400: 'Correct the request; the body says what is wrong with it.',
  401: 'Check the API key: it is missing, wrong, or was taken back.',
  402: 'Add credits.',
  403: 'Use a key that has the permission and may reach the agent, on a plan that allows it.',
  404: 'Check the id, and that the key may reach what it names.',
  409: 'Read what the body says of the earlier request before sending anything; never use a new key for it.',
  429: 'Wait for `retryAfterSeconds`, then send the same request with the same idempotency key.',
}

const redirected = 'A key is sent to no other address than `baseUrl`: set it to where the service answers.'

/** `status` 0 is a redirect that the runtime hides. */
function adviceFor(code: string | null, status: number): string {
  const ofCode = ofChat.get(code ?? '')?.advice ?? ofReceipts.get(code ?? '')
  if (ofCode !== undefined) return ofCode
  if (status < 400) return redirected
  return byStatus[status] ?? (status >= 500 ? later : 'The body says more.')
}

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
function codeIn(body: unknown, status: number): string | null {
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

export interface ServiceResponse {
  readonly status: number
  readonly headers: Headers
  /** JSON where it is JSON, else text. */
  readonly body: unknown
}

/** `resolution` of a failed receipt is advice, and nearer to the matter than ours. */
export function serviceErrorOf(
  { status, headers, body }: ServiceResponse,
  otherAdvice?: string,
): ServiceError {
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

/** Far beyond any reply. Of a stream, what may come without an event in it. */
export const maxBodyBytes = 64 * 1024 * 1024

/** Throws where so many bytes are more than an answer has. */
export function checkSize(bytes: number): void {
  if (bytes > maxBodyBytes) throw new RangeError(`it is larger than ${maxBodyBytes / 1024 / 1024} MiB`)
}

/** A whole body as text, as `Response.text()` has it. */
export async function boundedText({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  const parts: string[] = []
  let bytes = 0
  try {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      bytes += read.value.length
      checkSize(bytes)
      parts.push(decoder.decode(read.value, { stream: true }))
    }
  } finally {
    void reader?.cancel().catch(() => undefined)
  }
  return parts.join('') + decoder.decode()
}

/** Bytes as they are handed in, also those of another realm, of which nothing is an instance here. */
const isBuffer = (value: unknown): value is ArrayBuffer =>
  Object.prototype.toString.call(value) === '[object ArrayBuffer]'

/** Null for what is no bytes. */
export function bytesOf(value: unknown): Uint8Array | null {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  return isBuffer(value) ? new Uint8Array(value) : null
}
