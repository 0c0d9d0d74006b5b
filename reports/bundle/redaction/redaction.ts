/**
 * Takes secrets out of what is written to disk, by value: wherever one occurs, in whatever spelling, a token stands
 * instead, so it still shows where the same secret was used. Lengths change; nothing else does.
 */
import { randomBytes } from 'node:crypto'
import { disclosedBy, type Disclosed } from './disclosed.ts'
import type { Chunk, Exchange, Header, Received, SentRequest } from '../exchange.ts'
import { acrossEvents } from './fragments.ts'
import { apart, splice, type Hit } from './hits.ts'
import { inflated } from './inflated.ts'
import { createSearch, type Search } from './search.ts'
import { binary, fromBinary } from './spellings.ts'
import { inThinned } from './thinned.ts'
import { tokenOf } from './token.ts'

export interface Secret {
  /** Letters, digits and `:._-`, such as `key:main`; it stands in the token. */
  name: string
  value: string
}

export interface Redactor {
  /** From now on it is taken out, too. Throws for what cannot be told from other text. */
  learn(secret: Secret): void
  /** Of words about an exchange, in which a secret may also have been cut to size. */
  text(text: string): string
  bytes(bytes: Uint8Array): Uint8Array
  /** Learns first what the answer discloses: the secret of a webhook that was made, a cookie. */
  exchange(exchange: Exchange): Exchange
  /** How often something was taken out, by the name of the secret; those of webhooks and cookies count together. */
  counts(): Readonly<Record<string, number>>
  /** All that may be read nowhere; secrets of webhooks that are left in are not among them. */
  secrets(): readonly Secret[]
}

export interface RedactionOptions {
  /** Of the marks in tokens: the same key gives the same tokens. Default: a random one, which is never kept. */
  key?: Uint8Array
  /** Leaves in what secrets of webhooks answers disclose, so that others can check signatures. */
  disclose?: boolean
}

/** Throws for a name that would not survive inside JSON, and for a value too short to be told from other text. */
export function createRedactor(
  secrets: readonly Secret[] = [],
  { key = randomBytes(32), disclose = false }: RedactionOptions = {},
): Redactor {
  const known = new Map<string, Secret>()
  const counts = new Map<string, number>()
  const made = { 'webhook-secret': 0, cookie: 0 }
  const search = finders(createSearch())

  function learn(secret: Secret): void {
    mustBeUsable(secret)
    if (known.has(secret.value)) return
    known.set(secret.value, secret)
    search.add(secret.value, tokenOf(secret.name, secret.value, key), countedAs(secret.name))
  }
  function meet({ kind, value }: Disclosed): void {
    if (known.has(value) || (disclose && kind === 'webhook-secret')) return
    learn({ name: `${kind}:${++made[kind]}`, value })
  }
  function hits(text: string, kind: Kind = 'sent'): readonly Hit[] {
    const found = apart(search[kind](text))
    for (const { name, token } of found) if (token !== '') counts.set(name, (counts.get(name) ?? 0) + 1)
    return found
  }

  for (const secret of secrets) learn(secret)
  const parts = partsBy(hits)
  return {
    learn,
    text: (value) => parts.text(value),
    bytes: (value) => parts.bytes(value),
    exchange(exchange) {
      for (const one of disclosedBy(exchange)) meet(one)
      return parts.exchange(exchange)
    },
    counts: () => Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    secrets: () => [...known.values()],
  }
}

/** Of many secrets of one kind, the number stands in the token and not in the count. */
function countedAs(name: string): string {
  return name.replace(/^(webhook-secret|cookie):\d+$/, '$1')
}

/** What a text is: as it was sent, a whole body, or words about an exchange. */
type Kind = 'sent' | 'body' | 'words'
type Finder = (text: string, kind?: Kind) => readonly Hit[]

function finders({ add, asSent, inWords }: Search) {
  const sent = (text: string) => [...asSent(text), ...inThinned(text, asSent)]
  const words = (text: string) => [...inWords(text), ...inThinned(text, inWords)]
  const body = (text: string) => [...sent(text), ...acrossEvents(text, asSent)]
  return { add, sent, words, body }
}

/** How each part of an exchange is written, given where secrets lie in a text. */
function partsBy(hits: Finder) {
  const whole = (text: string): string => splice(text, hits(text))
  const bytes = (value: Uint8Array): Uint8Array => {
    const text = latin1(value)
    const found = hits(text)
    return found.length === 0 ? value : new Uint8Array(Buffer.from(splice(text, found), 'latin1'))
  }
  const text = (value: string): string => {
    const words = binary(value)
    const found = hits(words, 'words')
    return found.length === 0 ? value : fromBinary(splice(words, found))
  }
  const headers = (list: readonly Header[]): readonly Header[] =>
    list.map(([name, value]) => [whole(name), whole(value)])
  const request = (sent: SentRequest): SentRequest => ({
    ...sent,
    path: whole(sent.path),
    headers: headers(sent.headers),
    body: bytes(sent.body),
  })

  /** A secret may lie across reads, or across events; its token then stands in the first. */
  function chunks(response: Received): readonly Chunk[] {
    const list = response.chunks
    const body = latin1(Buffer.concat(list.map((chunk) => chunk.bytes)))
    const plain = inflated(response)
    // Of what is compressed, no part can be taken out.
    const within = plain === null ? [] : hits(latin1(plain), 'body').slice(0, 1)
    const found =
      within.length > 0 ? within.map((hit) => ({ ...hit, start: 0, end: body.length })) : hits(body, 'body')
    if (found.length === 0) return list
    let start = 0
    return list.map(({ at, bytes: read }) => {
      const from = start
      start += read.length
      return { at, bytes: new Uint8Array(Buffer.from(splice(body, found, from, start), 'latin1')) }
    })
  }

  function exchange(given: Exchange): Exchange {
    const { response, failure } = given
    return {
      ...given,
      request: request(given.request),
      response: response && {
        ...response,
        headers: headers(response.headers),
        chunks: chunks(response),
      },
      failure: failure && { ...failure, message: text(failure.message) },
    }
  }
  return { text, bytes, exchange }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

function mustBeUsable({ name, value }: Secret): void {
  if (!/^[\w:.-]+$/.test(name))
    throw new Error(
      `the secret's name ${JSON.stringify(name)} has other than letters, digits and :._-; rename it`,
    )
  if (value.length < 4)
    throw new Error(
      `the secret ${name} has ${value.length} characters, too few to be told from other text; use 4 or more`,
    )
}
