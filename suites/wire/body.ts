/** What a recorded answer says, read from its bytes when asked and once. Pure, and total for any exchange. */
import { joined, lengthOf } from '../../reports/bundle/chunks.ts'
import { decode, type Text } from '../../reports/bundle/text.ts'
import type { Exchange } from './exchange.ts'
import { at, parseJson, type Json, type JsonReading } from './json.ts'
import { memo } from './memo/memo.ts'

export { decode, type Json, type JsonReading, type Text }

const largeBytes = 8 * 1024

/** Bytes of a body of which what is read is not to be remembered for as long as the exchange is; 0 of a smaller one. */
export function largeBytesOf({ response }: Exchange, most = largeBytes): number {
  const length = lengthOf(response?.chunks)
  return length > most ? length : 0
}

/** The body as received; empty where there was none. */
export const bytes: (exchange: Exchange) => Uint8Array = memo(
  ({ response }) => {
    const { buffer, byteOffset, length } = joined(response?.chunks)
    return new Uint8Array(buffer, byteOffset, length)
  },
  (exchange) => largeBytesOf(exchange),
)

export const text: (exchange: Exchange) => Text = memo(
  ({ response }) => decode(joined(response?.chunks)),
  (exchange) => largeBytesOf(exchange),
)

/** The body as JSON. A truncated body is not JSON, even if it parses. */
export const json: (exchange: Exchange) => JsonReading = memo(
  (exchange) => {
    if (!exchange.response) return { ok: false, why: 'there is no answer' }
    if (!exchange.response.complete) return { ok: false, why: 'the body broke off' }
    const { valid, text: body } = text(exchange)
    return valid ? parseJson(body) : { ok: false, why: 'it is not UTF-8' }
  },
  (exchange) => largeBytesOf(exchange),
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

/** Of several such headers, the first. */
export function contentType(exchange: Exchange): ContentType | null {
  const value = header(exchange, 'content-type')[0]
  if (value === undefined) return null
  const params: Record<string, string> = {}
  for (const [, name = '', quoted, plain = ''] of value.matchAll(parameter))
    params[name.toLowerCase()] ??= quoted?.replace(/\\(.)/g, '$1') ?? plain
  return { essence: value.split(';', 1)[0]?.trim().toLowerCase() ?? '', params }
}
