/** What takes credentials out of what is kept or shown. */
import { hash } from 'node:crypto'
import { isObject, type Json } from '../json.ts'
import type { HeaderLine } from '../edge/reply.ts'

const secretMarks = ['sk-', 'sess_', 'whsec_', 'ak_'] as const

/** A text without API keys, session tokens and webhook secrets, which clients put into the strangest places. */
export function withoutKeys(text: string): string {
  if (!secretMarks.some((mark) => text.includes(mark))) return text
  return text.replace(/(?:sk-|sess_|whsec_|\bak_)[\w-]+/g, '[redacted]')
}

/** The same for texts that people write: what is as long as a key is one, and a *task-force* is none. */
export function withoutWholeKeys(text: string): string {
  if (!secretMarks.some((mark) => text.includes(mark))) return text
  return text.replace(/(?:sk-|sess_|whsec_|ak_)\w{16,}/g, '[redacted]')
}

/** The body of a management answer without the secret and the values of custom headers in it. */
export function redactKeys(text: string): string {
  return withoutHeaderValues(
    withoutKeys(text.replace(/("secret_key"\s*:\s*)"(?:[^"\\]|\\.)*"/g, '$1"[redacted]"')),
  )
}

const headersMember = 'custom_headers'

/** A body without the values of custom headers, which may be most of it. */
export function bodyWithoutHeaderValues(body: Json): Json {
  if (Array.isArray(body)) return body.map(bodyWithoutHeaderValues)
  if (!isObject(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      name === headersMember ? hidden(value) : bodyWithoutHeaderValues(value),
    ]),
  )
}

/** A JSON text without the values of custom headers, which are often credentials; the same text where it has none. */
function withoutHeaderValues(text: string): string {
  if (!text.includes(headersMember) && !text.includes('\\u')) return text
  try {
    let found = false
    const shown: unknown = JSON.parse(text, (name, value: unknown) => {
      if (name !== headersMember) return value
      found = true
      return hidden(value)
    })
    return found ? JSON.stringify(shown) : text
  } catch {
    // Nobody knows where such headers end.
    return '[redacted: not JSON]'
  }
}

/** The same for bytes: those that were given, where nothing is to be taken out. */
export function bytesWithoutHeaderValues(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString()
  const shown = withoutHeaderValues(text)
  return shown === text ? bytes : Buffer.from(shown)
}

/** The names are no secret. */
function hidden(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return '[redacted]'
  return Object.fromEntries(Object.keys(value).map((name) => [name, '[redacted]']))
}

const credentialHeaders = new Set(['authorization', 'cookie'])

type KnownKeys = ReadonlyMap<string, { readonly name: string }>
const noKeys: KnownKeys = new Map()

/** The result for the headers before: most requests have the very same. */
let latest = { given: [] as readonly HeaderLine[], keys: noKeys, redacted: [] as readonly HeaderLine[] }

/** Credentials stay out of the journal; an API key leaves its role, or else the same pseudonym each time. */
export function redactedHeaders(headers: readonly HeaderLine[], keys = noKeys): readonly HeaderLine[] {
  if (latest.given !== headers || latest.keys !== keys)
    latest = { given: headers, keys, redacted: redactEach(headers, keys) }
  return latest.redacted
}

/** As a proxy's recording names keys: `judge` distinguishes clients by it. */
function redactedCredential(value: string, keys: KnownKeys): string {
  const [, scheme = '', token = ''] = /^(Bearer +)(\S+)$/i.exec(value) ?? []
  if (keys.size === 0 || token === '')
    return /^Bearer +\[\[key:[\w-]+\]\]$/i.test(value) ? value : '[redacted]'
  const name =
    keys.get(token)?.name ?? `unknown-${hash('sha256', `${[...keys.keys()].join()} ${token}`).slice(0, 8)}`
  return `${scheme}[[key:${name}]]`
}

function redactEach(headers: readonly HeaderLine[], keys: KnownKeys): readonly HeaderLine[] {
  return headers.map((header) => {
    const [name, value] = header
    if (credentialHeaders.has(name.toLowerCase())) return [name, redactedCredential(value, keys)] as const
    const plain = withoutKeys(value)
    return plain === value ? header : ([name, plain] as const)
  })
}
