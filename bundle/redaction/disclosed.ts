/** Secrets that a response discloses: found by their position, since they were not known before. */
import { joined } from '../chunks.ts'
import { decode } from '../text.ts'
import type { Exchange, Header } from '../exchange.ts'
import { decompressed, unescaped } from './decoded.ts'

export interface Disclosed {
  kind: 'webhook-secret' | 'cookie' | 'custom-header'
  value: string
}

/** Secrets that the target made, in order. What we had sent ourselves, or what it shows elsewhere, is none of them. */
export function disclosedBy(exchange: Exchange, shown: ReturnType<typeof createShown>): readonly Disclosed[] {
  const { request, response, inbound } = exchange
  if (!response || inbound) return []
  for (const [, value] of customHeadersIn(decode(request.body).text)) shown.publish(`${value}\n`)
  const plain = decompressed(response) ?? joined(response.chunks)
  const body = plain === 'too large' ? '' : decode(plain).text
  shown.see(response.headers, body)
  const found: readonly Disclosed[] = [
    ...response.headers.flatMap(cookie),
    ...keysIn(body).map((value) => ({ kind: 'webhook-secret', value }) as const),
    ...customHeadersIn(body).map(([, value]) => ({ kind: 'custom-header', value }) as const),
  ]
  return [...new Map(found.map((one) => [one.value, one])).values()]
    .map(({ kind, value }) => ({ kind, value: value.slice(0, longest).toWellFormed() }))
    .filter(({ kind, value }) => isDistinctive(value) && !shown.has(value, kind) && !wasSent(value, exchange))
}

/** Of what is longer, only the beginning is redacted, which bounds the time. */
const longest = 4_096

/**
 * Whether a value can be distinguished from other text wherever it occurs. A stand-in such as `********` or `redacted` cannot,
 * and to replace it everywhere would take other words out of the record.
 */
function isDistinctive(value: string): boolean {
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

/** The one that the contract names, and those that a service may use by mistake. */
const names = 'secret_?key|secret|webhook_?secret|signing_?secret'
const member = new RegExp(String.raw`"(?:${names})"\s*:\s*"((?:[^"\\]|\\.){0,${longest}})`, 'gi')

/**
 * Members of such a name anywhere: in a list, in an event of a stream, in a response that broke off, in JSON within
 * JSON, its name escaped or not. `secret_key_preview` is another name.
 */
function keysIn(body: string): readonly string[] {
  if (!/secret|\\u/i.test(body)) return []
  const once = unescaped(body)
  return [...new Set([body, once, unescaped(once)])].flatMap((text) =>
    Array.from(text.matchAll(member), ([, value = '']) => unquoted(value)),
  )
}

/** The value of a text in JSON, without its quotes. */
function unquoted(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}

const text = String.raw`"((?:[^"\\]|\\.){0,${longest}})"`
const header = new RegExp(String.raw`${text}\s{0,99}:\s{0,99}${text}`, 'g')
const customHeaders =
  /"custom_?headers"\s{0,99}:\s{0,99}\{(?:\s{0,99}"(?:[^"\\]|\\.){0,4096}"[\s:,]{0,99}){0,200}/gi
const credential = /^(?:authorization|proxy-authorization|cookie|x-api-key|x-auth-token)$/i

/** Of webhooks in a body: credentials for their endpoints, and what may be one by its name, is no word, and stands nowhere else in it. */
export function customHeadersIn(body: string): readonly Header[] {
  const rest = body.replace(customHeaders, '')
  const mayBeSecret = ([name, value]: Header): boolean =>
    credential.test(name) ||
    (mayLetIn.test(name) && isDistinctive(value) && /\d/.test(value) && !rest.includes(value))
  return Array.from(body.match(customHeaders) ?? [], (section) => [...section.matchAll(header)])
    .flat()
    .map(([, name = '', value = '']): Header => [name, unquoted(value)])
    .slice(0, 1_000)
    .filter(mayBeSecret)
}

/** Texts of a kind that are remembered; each of at most so many characters. */
const most = { texts: 100_000, characters: 200 }
/**
 * Members that name something, such as `id`, `conversation_id` and `agentId`; none that may give access. Each part is
 * bounded, or a name of a megabyte would take minutes.
 */
const id = new RegExp(
  String.raw`"(?!\w{0,60}(?:auth|key|secret|session|token))(?:\w{0,60}_)?(?:id|[a-z]\w{0,60}Id)"\s{0,9}:\s{0,9}"([^"\\]{8,${most.characters}})"`,
  'g',
)

const mayLetIn = /auth|cookie|key|secret|session|signature|token/i

/** What a target shows to everybody: a secret that equals it is none, and to take it out would break the evidence. */
export function createShown() {
  const [ids, inHeaders] = [new Set<string>(), new Set<string>()]
  let ours = ''
  const add = (text: string, to: Set<string>): void => {
    // A copy: a part of a text holds all of it in memory.
    if (to.size < most.texts && text.length <= most.characters) to.add(Buffer.from(text).toString())
  }
  return {
    /** A header may show what a cookie holds, such as the name of a server; the secret of a webhook is one also there. */
    has: (value: string, kind: Disclosed['kind']): boolean =>
      ids.has(value) || ours.includes(value) || (kind === 'cookie' && inHeaders.has(value)),
    /** A text of ours, such as the plan of the run. */
    publish: (text: string) => void (ours += text),
    see(headers: readonly Header[], body: string): void {
      for (const [name, value] of headers) if (!mayLetIn.test(name)) add(value, inHeaders)
      for (const [, value = ''] of body.matchAll(id)) add(value, ids)
    },
  }
}
