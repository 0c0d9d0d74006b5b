/** What custom headers may be called and say; checked when they are set, since a delivery cannot report an error. */
import type { Identifiers } from '../../../spec/identifiers.ts'
import { isObject, type Json } from '../../json.ts'
import type { HeaderLine } from '../../server/reply.ts'
import { fixedLimits } from '../../limits.ts'

/** RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Visible ASCII, space, tab and what Latin-1 has besides: nothing that ends a line or a header. */
const fieldValue = /^[\t\x20-\x7e\xa0-\xff]*$/

/**
 * Names that frame a message or belong to one connection; those of the service itself are reserved beside them. Every
 * other one goes out: a webhook's custom headers are sent with each of its deliveries.
 */
const reservedNames = [
  'content-type',
  'user-agent',
  'host',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'expect',
  'te',
  'trailer',
  'upgrade',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
]

/** Whether a name, in any casing, is reserved in a service with these identifiers. */
export function isReservedHeaderOf(identifiers: Identifiers): (name: string) => boolean {
  const { signatureHeader, deliveryIdHeader, eventHeader } = identifiers
  const own = [signatureHeader, deliveryIdHeader, eventHeader].map((name) => name.toLowerCase())
  const reserved = new Set([...reservedNames, ...own])
  return (name) => reserved.has(name.toLowerCase())
}

/** The headers of a value that the rules allow; nothing of any other. */
export function customHeadersOf(value: Json | undefined): readonly HeaderLine[] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, text]): readonly HeaderLine[] =>
    typeof text === 'string' ? [[name, text]] : [],
  )
}

export function shapeProblem(value: Json): string | null {
  if (!isObject(value)) return 'custom_headers must be an object of header names with their values.'
  const odd = Object.entries(value).find(([, text]) => typeof text !== 'string')
  return odd ? `custom_headers: the value of ${quotedName(odd[0])} must be a string.` : null
}

export function nameProblem(headers: readonly HeaderLine[]): string | null {
  const odd = headers.find(([name]) => !token.test(name))
  if (odd)
    return `custom_headers: ${quotedName(odd[0])} is not the name of a header; use letters, digits and -.`
  const seen = new Set<string>()
  for (const [name] of headers) {
    if (seen.has(name.toLowerCase()))
      return `custom_headers: ${quotedName(name)} is there twice in other casings; send it once.`
    seen.add(name.toLowerCase())
  }
  return null
}

export function valueProblem(headers: readonly HeaderLine[]): string | null {
  const odd = headers.find(([, value]) => !fieldValue.test(value))
  return odd
    ? `custom_headers: the value of ${quotedName(odd[0])} has a character that no header can carry; ` +
        'use Latin-1 without line breaks and control characters.'
    : null
}

export function sizeProblem(headers: readonly HeaderLine[]): string | null {
  const { customHeaders: count, customHeaderBytes: valueBytes, customHeadersBytes: totalBytes } = fixedLimits
  if (headers.length > count) return `custom_headers has ${headers.length} headers; send at most ${count}.`
  const long = headers.find(([, value]) => value.length > valueBytes)
  if (long)
    return `custom_headers: the value of ${quotedName(long[0])} has ${long[1].length} bytes; send at most ${valueBytes}.`
  const total = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return total > totalBytes ? `custom_headers has ${total} bytes in all; send at most ${totalBytes}.` : null
}

export function reservedProblem(
  headers: readonly HeaderLine[],
  isReserved: (name: string) => boolean,
): string | null {
  const taken = headers.find(([name]) => isReserved(name))
  return taken
    ? `custom_headers: ${quotedName(taken[0])} is set by the service itself; choose another name.`
    : null
}

/** What somebody sent, short enough to be read back. */
export function quotedName(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
