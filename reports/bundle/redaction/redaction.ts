/**
 * Redacts secrets by value, before anything is written: a token replaces each, so that equal secrets stay visible as
 * equal. A text that still contains one, in an encoding that is not known here, is withheld whole.
 */
import { joined, packed } from '../chunks.ts'
import { randomBytes } from 'node:crypto'
import { decompressed } from './decoded.ts'
import { createShown, disclosedBy, type Disclosed } from './disclosed.ts'
import type { Chunk, Exchange, Header, Received } from '../exchange.ts'
import { binary, fromBinary } from '../text.ts'
import { createLeakDetector } from './leaks.ts'
import { createSearch, splice, type Hit } from './search.ts'
import { tokenOf } from './token.ts'

export interface Secret {
  /** Letters, digits and `:._-`, such as `key:main`; it is part of the token. */
  name: string
  value: string
}

export interface Redactor {
  /** Redacts it from now on. Throws for a value too short to be distinguished from other text. */
  learn(secret: Secret): void
  /** What is part of this is no secret that a response discloses. */
  publish(text: string): void
  /** Of text that may quote a secret cut short by an ellipsis. */
  text(text: string): string
  /** The same value with every text in it redacted. */
  value<T>(value: T): T
  /** Learns first what the response discloses: the secret of a new webhook, a cookie. */
  exchange(exchange: Exchange): Exchange
  /** With a text in place of bodies and headers, because a secret was found in it, or may be, after it was redacted. */
  withheld(exchange: Exchange, text: string): Exchange
  /** Redactions by the name of the secret; secrets of webhooks and cookies count together, withheld bodies as `withheld`. */
  counts(): Readonly<Record<string, number>>
  /** All secrets, without those of webhooks that are disclosed. */
  secrets(): readonly Secret[]
}

export interface RedactionOptions {
  /** Of the marks in tokens: the same key gives the same tokens. Default: a random one, which is never stored. */
  key?: Uint8Array
  /** Leaves in the secrets of webhooks that responses disclose, so that others can check signatures. */
  disclose?: boolean
}

/** Replaces a text or a body that contains a secret in an encoding that cannot be redacted. */
export const withheldText = '[[withheld: a secret is in it, in an encoding that cannot be redacted]]'
/** Replaces one that is encoded deeper, or in more bytes, than is looked into. */
export const unsearchedText = '[[withheld: too much is encoded in it to look for secrets]]'
/** Replaces what a response discloses together with more secrets than are remembered. */
const disclosedText = '[[withheld: too many secrets are in it]]'
/** Secrets of webhooks and cookies that are remembered, of one response and of a run. */
const mostDisclosed = { response: 200, run: 5_000 }

/** Throws for a name that would not survive inside JSON, and for a value too short to be distinguished from other text. */
export function createRedactor(
  secrets: readonly Secret[] = [],
  { key = randomBytes(32), disclose = false }: RedactionOptions = {},
): Redactor {
  const known = new Map<string, Secret>()
  const counts = new Map<string, number>()
  const made = { 'webhook-secret': 0, cookie: 0 }
  const search = createSearch()
  const leaks = createLeakDetector()
  const shown = createShown()

  function learn(secret: Secret): void {
    mustBeUsable(secret)
    if (known.has(secret.value)) return
    known.set(secret.value, secret)
    search.add(secret.value, tokenOf(secret.name, secret.value, key), countedAs(secret.name))
    leaks.learn(secret.value)
  }
  function meet({ kind, value }: Disclosed): void {
    if (known.has(value) || (disclose && kind === 'webhook-secret')) return
    learn({ name: `${kind}:${++made[kind]}`, value })
  }
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)
  /** Hits in binary text; where the text must be withheld, the text in its place. */
  function hitsIn(text: string, cut = false) {
    const hits = search.in(text, cut)
    const left = leaks.look(splice(text, hits))
    if (left !== null) {
      count('withheld')
      return left === 'secret' ? withheldText : unsearchedText
    }
    for (const { name } of hits) count(name)
    return hits
  }
  function withheld(exchange: Exchange, text: string): Exchange {
    count('withheld')
    return withoutContent(exchange, text)
  }

  for (const secret of secrets) learn(secret)
  const parts = partsBy(hitsIn)
  return {
    learn,
    publish: (text) => shown.publish(text),
    text: parts.text,
    value: parts.value,
    exchange(exchange) {
      const disclosed = disclosedBy(exchange, shown)
      const isTooMany =
        disclosed.length > mostDisclosed.response ||
        made.cookie + made['webhook-secret'] + disclosed.length > mostDisclosed.run
      if (isTooMany) return withheld(exchange, disclosedText)
      for (const one of disclosed) meet(one)
      return parts.exchange(exchange)
    },
    withheld,
    counts: () => Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    secrets: () => [...known.values()],
  }
}

/** By the name of a secret: whether a response disclosed it. */
export const isDisclosed = (name: string): boolean => /^(?:webhook-secret|cookie):\d+$/.test(name)

/** Of many secrets of one kind, the number is in the token and not in the count. */
function countedAs(name: string): string {
  return name.replace(/^(webhook-secret|cookie):\d+$/, '$1')
}

type HitsIn = (text: string, cut?: boolean) => readonly Hit[] | string

/** How each part of an exchange is redacted. */
function partsBy(hitsIn: HitsIn) {
  function redacted(given: string, cut = false): string {
    const hits = hitsIn(given, cut)
    return typeof hits === 'string' ? hits : splice(given, hits)
  }
  const text = (given: string): string => fromBinary(redacted(binary(given), true))
  function value<T>(given: T): T {
    if (typeof given === 'string') return text(given) as T
    if (Array.isArray(given)) return given.map(value) as T
    if (typeof given !== 'object' || given === null) return given
    const members = Object.entries(given).filter(([, member]) => member !== undefined)
    return Object.fromEntries(members.map(([name, member]) => [text(name), value(member)])) as T
  }
  const headers = (list: readonly Header[]): readonly Header[] =>
    list.map(([name, content]) => [redacted(name), redacted(content)])

  /**
   * A secret may lie across reads; its token is then in the first. Of a compressed body, no part can be taken out. A text
   * where the body must be withheld.
   */
  function chunks(response: Received): readonly Chunk[] | string {
    const plain = decompressed(response)
    if (plain === 'too large') return unsearchedText
    const body = joined(response.chunks).toString('latin1')
    const hits = hitsIn(plain === null ? body : latin1(plain))
    if (typeof hits === 'string') return hits
    if (hits.length === 0) return response.chunks
    return plain === null ? splicedChunks(response.chunks, body, hits) : withheldText
  }

  function exchange(given: Exchange): Exchange {
    const { request, response, failure } = given
    const sent = hitsIn(latin1(request.body))
    const received = response && chunks(response)
    const isWithheld = typeof sent === 'string' || typeof received === 'string'
    return {
      ...given,
      request: {
        ...request,
        path: redacted(request.path),
        headers: headers(request.headers),
        body: typeof sent === 'string' ? encoded(sent) : spliced(request.body, sent),
      },
      response: response && {
        ...response,
        headers: headers(response.headers),
        chunks:
          typeof received === 'string' ? [{ at: response.at, bytes: encoded(received) }] : (received ?? []),
      },
      failure: failure && { ...failure, message: text(failure.message) },
      ...(isWithheld ? { withheld: true } : {}),
    }
  }
  return { text, value, exchange }
}

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text)

/** With `text` in place of each body and of the value of each header, on either side. */
function withoutContent(exchange: Exchange, text: string): Exchange {
  const { request, response, failure } = exchange
  const headers: readonly Header[] = [['x-withheld', text]]
  return {
    ...exchange,
    request: { ...request, path: '/', headers, body: encoded(text) },
    response: response && { ...response, headers, chunks: [{ at: response.at, bytes: encoded(text) }] },
    failure: failure && { ...failure, message: text },
    withheld: true,
  }
}

/** The chunks with tokens in place of hits; both are in order. */
function splicedChunks(chunks: readonly Chunk[], body: string, hits: readonly Hit[]): readonly Chunk[] {
  let [start, first] = [0, 0]
  const redacted = chunks.map(({ at, bytes }) => {
    const from = start
    start += bytes.length
    while ((hits[first]?.end ?? Infinity) <= from) first++
    const text = splice(body, hits, [from, start, first])
    return { at, bytes: Buffer.from(text, 'latin1') }
  })
  return packed(redacted)
}

function spliced(bytes: Uint8Array, hits: readonly Hit[]): Uint8Array {
  return hits.length === 0 ? bytes : new Uint8Array(Buffer.from(splice(latin1(bytes), hits), 'latin1'))
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
      `the secret ${name} has ${value.length} characters, too few to be distinguished from other text; use 4 or more`,
    )
}
