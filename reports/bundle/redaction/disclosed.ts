/** What an answer tells in confidence: found by where it stands, since nobody knew it before. */
import { decode } from '../text.ts'
import type { Exchange, Header, Received } from '../exchange.ts'
import { inflated } from './inflated.ts'
import { spellings } from './spellings.ts'

export interface Disclosed {
  kind: 'webhook-secret' | 'cookie'
  value: string
}

/** Secrets that the target made, in order. What we had sent ourselves is none of them. */
export function disclosedBy(exchange: Exchange): readonly Disclosed[] {
  const { response, inbound } = exchange
  if (!response || inbound) return []
  const found: readonly Disclosed[] = [
    ...response.headers.flatMap(cookie),
    ...keysIn(bodyOf(response)).map((value) => ({ kind: 'webhook-secret', value }) as const),
  ]
  return found
    .map(({ kind, value }) => ({ kind, value: value.slice(0, longest) }))
    .filter(({ value }) => isTelling(value) && !wasSent(value, exchange))
}

function bodyOf(response: Received): string {
  const plain = inflated(response) ?? Buffer.concat(response.chunks.map((chunk) => chunk.bytes))
  return decode(plain).text
}

/** Of what is longer, the beginning is taken out; nobody should wait for the rest. */
const longest = 4_096

/**
 * Whether a value can be told from other text wherever it occurs. A stand-in such as `********` or `redacted` cannot,
 * and to replace it everywhere would take other words out of the record.
 */
function isTelling(value: string): boolean {
  if (value.length < 8 || new Set(value).size < 5) return false
  return value.length >= 20 || (/\d/.test(value) && /[A-Za-z]/.test(value))
}

function wasSent(value: string, { request }: Exchange): boolean {
  return (
    request.path.includes(value) ||
    request.headers.some(([, sent]) => sent.includes(value)) ||
    Buffer.from(request.body).includes(value)
  )
}

function cookie([name, value]: Header): readonly Disclosed[] {
  if (name.toLowerCase() !== 'set-cookie') return []
  const [, content = ''] = /^[^=;]*=\s*"?([^;"]*)/.exec(value) ?? []
  return [{ kind: 'cookie', value: content.trim() }]
}

/** Those that a judge reads, and those that a service may give it by mistake. */
const names = [
  'secret_key',
  'secretKey',
  'secret',
  'webhook_secret',
  'webhookSecret',
  'signing_secret',
  'signingSecret',
]
const name = `(?:${names.map((one) => spellings(one)[0]).join('|')})`
/**
 * A member of such a name wherever it stands: in a list, in an event of a stream, in an answer that broke off, its name
 * escaped or not. What only tells of a secret, such as `secret_key_preview`, has another name.
 */
const member = new RegExp(String.raw`"${name}"\s*:\s*"((?:[^"\\]|\\.)*)"`, 'g')
/** The same in JSON within JSON. */
const within = new RegExp(String.raw`(?<!\\)(\\+)"${name}\\+"\s*:\s*\\+"([^"\\]*(?:\\+[^"\\]+)*)\\+"`, 'g')

function keysIn(body: string): readonly string[] {
  if (!/secret|\\u/.test(body)) return []
  return [
    ...Array.from(body.matchAll(member), ([, value = '']) => unescaped(value, 0)),
    ...Array.from(body.matchAll(within), ([, escape = '', value = '']) => unescaped(value, escape.length)),
  ]
}

/** `backslashes`: how many stand before a quote, 0 in JSON, 1 in JSON within JSON, 3 in that within JSON. */
function unescaped(value: string, backslashes: number): string {
  try {
    const once: unknown = JSON.parse(`"${value}"`)
    if (typeof once !== 'string') return value
    return backslashes === 0 ? once : unescaped(once, Math.floor((backslashes - 1) / 2))
  } catch {
    return value
  }
}
