/**
 * The exchange of the run bundle, as the suites record and judge it: what an answer says is read from its bytes when
 * asked and once. Pure, and total for any exchange.
 */
import type { Exchange, Header } from '../../bundle/exchange.ts'
import type { Identifiers } from '../../spec/identifiers.ts'
import { parseJson, type Json, type JsonReading } from '../../bundle/json.ts'
import { joined, lengthOf } from '../../bundle/chunks.ts'
import { decode, type Text } from '../../bundle/text.ts'
import { memo } from './memo/memo.ts'

export type { Chunk, Exchange, FailureKind, Header, Received, SentRequest } from '../../bundle/exchange.ts'
export { identifiersIn } from '../../spec/identifiers.ts'
export { decode, parseJson, type Json, type JsonReading, type Text }

export function identified(exchange: Exchange, identifiers: Identifiers | undefined): Exchange {
  return identifiers === exchange.identifiers || identifiers === undefined
    ? exchange
    : { ...exchange, identifiers }
}

/** The exchanges as judges read them. What was recorded stays unchanged: another dialect may judge it again. */
export function inDialect(
  exchanges: readonly Exchange[],
  { errorCode }: { errorCode?: string },
): readonly Exchange[] {
  return errorCode === undefined || exchanges.every(({ codeAt }) => codeAt === errorCode)
    ? exchanges
    : exchanges.map((exchange) => ({ ...exchange, codeAt: errorCode }))
}

/** What a JSON pointer (RFC 6901) points at, or undefined where there is nothing. */
export function at(value: Json, pointer: string): Json | undefined {
  if (pointer === '') return value
  if (!pointer.startsWith('/'))
    throw new Error(`${JSON.stringify(pointer)} is no JSON pointer; it is empty or starts with a slash`)
  const tokens = pointer.slice(1).split('/')
  return tokens
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<Json | undefined>(step, value)
}

function step(value: Json | undefined, token: string): Json | undefined {
  if (isList(value)) return /^(?:0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, token) ? value[token] : undefined
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** The beginning of a text, for a person to read. What is cut ends with `…`: redaction knows halves of secrets by it. */
export function excerpt(text: string, most = 120): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** The body as received; empty where there was none. */
export function bytes({ response }: Exchange): Uint8Array {
  const { buffer, byteOffset, length } = joined(response?.chunks)
  return new Uint8Array(buffer, byteOffset, length)
}

export const text: (exchange: Exchange) => Text = memo(
  ({ response }) => decode(joined(response?.chunks)),
  (read) => 2 * read.text.length,
)

/** The body as JSON. A truncated body is not JSON, even if it parses. */
export const json: (exchange: Exchange) => JsonReading = memo(
  (exchange) => {
    if (!exchange.response) return { ok: false, why: 'there is no answer' }
    if (!exchange.response.complete) return { ok: false, why: 'the body broke off' }
    const { valid, text: body } = text(exchange)
    return valid ? parseJson(body) : { ok: false, why: 'it is not UTF-8' }
  },
  // A value takes more than its few bytes.
  (_, { response }) => 8 * lengthOf(response?.chunks),
)

/** What a JSON pointer points at in the body; undefined where there is nothing, or no JSON. */
export function member(exchange: Exchange, pointer: string): Json | undefined {
  const body = json(exchange)
  return body.ok ? at(body.value, pointer) : undefined
}

/** Every value of a header, in order; the name in any casing. */
export function header(exchange: Exchange, name: string): string[] {
  const wanted = name.toLowerCase()
  const headers = exchange.response?.headers ?? []
  return headers.filter(([given]) => given.toLowerCase() === wanted).map(([, value]) => value)
}

/** The values with which a server may say of a first answer that it is no replay. */
const denials: ReadonlySet<string> = new Set(['false', '0', 'no', ''])

export function deniesReplay(value: string): boolean {
  return denials.has(value.trim().toLowerCase())
}

export function status(exchange: Exchange): number | null {
  return exchange.response?.status ?? null
}

export interface ContentType {
  /** `type/subtype`, in lower case. */
  essence: string
  /** Names in lower case, values as sent, without quotes. */
  params: Readonly<Record<string, string>>
}

const parameter = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g

const typeIn = ([, value]: Header): ContentType => {
  const params: Record<string, string> = {}
  for (const [, name = '', quoted, plain = ''] of value.matchAll(parameter))
    params[name.toLowerCase()] ??= quoted?.replace(/\\(.)/g, '$1') ?? plain
  return { essence: value.split(';', 1)[0]?.trim().toLowerCase() ?? '', params }
}

/** Of several such headers, the first. */
export function contentType({ response }: Exchange): ContentType | null {
  const given = response?.headers.find(([name]) => name.toLowerCase() === 'content-type')
  return given ? typeIn(given) : null
}
