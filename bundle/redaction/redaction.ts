/**
 * Redacts secrets by value, before anything is written: a token replaces each, so that equal secrets stay visible as
 * equal. A text that still contains one, in an encoding that is not known here, is withheld whole.
 */
import { joined, packed } from '../chunks.ts'
import { createHmac, randomBytes } from 'node:crypto'
import type { Redaction } from '../record.ts'
import { decompressed } from './decoded.ts'
import { createShown, disclosedBy } from './disclosed.ts'
import type { Chunk, Exchange, Header, Received } from '../exchange.ts'
import { binary, fromBinary } from '../text.ts'
import { createLeakDetector, isDisclosed } from './leaks.ts'
import { apart, createSearch, splice, token, type Hit } from './search.ts'

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
  value<T>(value: T): T
  /** Learns first what the response discloses: the secret of a new webhook, a cookie. */
  exchange(exchange: Exchange): Exchange
  /** So far, by the name of the secret; those of webhooks and cookies count together, withheld bodies as `withheld`. */
  redaction(): Redaction
  /** All secrets, without those of webhooks that are disclosed. */
  secrets(): readonly Secret[]
}

/**
 * Replaces a text or a body that contains a secret in an encoding that cannot be redacted, or more secrets than are
 * remembered, or that is encoded deeper, or in more bytes, than is looked into.
 */
export const withheldText = '[[withheld: it contains, or may hide, a secret that cannot be redacted]]'
const withheld = { name: 'withheld' }
/** The token of another recording, at most behind a scheme: judged again, it shows what is the same as before. */
const redacted = new RegExp(`^(?:[\\w-]{1,20}[ =]+)?${token.source}$`)
/** Characters of a text that is looked through in parts: there may be as many parts. */
const mostLooked = 1 << 18
/** Secrets of webhooks and cookies that are remembered, of one response and of a run. */
const mostDisclosed = { response: 200, run: 5_000 }

/**
 * `disclose` leaves in the secrets of webhooks that responses disclose. Throws for a name that would not survive inside
 * JSON, and for a value too short to be distinguished from other text.
 */
export function createRedactor(secrets: readonly Secret[] = [], disclose = false): Redactor {
  /** Of the marks in tokens: equal secrets have equal ones. It is not stored: a short secret could be found by trying. */
  const key = randomBytes(32)
  const known = new Map<string, Secret>()
  const counts = new Map<string, number>()
  const made = { 'webhook-secret': 0, cookie: 0, 'custom-header': 0 }
  const search = createSearch()
  const leaks = createLeakDetector()
  const shown = createShown()

  const tokenOf = (name: string, value: string): string =>
    `[[${name}:${createHmac('sha256', key).update(value).digest('hex').slice(0, 8)}]]`
  function learn(secret: Secret): void {
    mustBeUsable(secret)
    const { name, value } = secret
    if (known.has(value) || redacted.test(value)) return
    known.set(value, secret)
    search.add(value, tokenOf(name, value), isDisclosed(name) ? name.replace(/:.*/, '') : name)
    leaks.learn(value)
  }
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)
  /** Of the texts between quotes, those that contain a secret besides these: the rest of a body in JSON can be judged. */
  function leakingTexts(text: string, found: readonly Hit[]): readonly Hit[] {
    return quotedIn(text)
      .filter(({ start, end }) => {
        const first = found.findLastIndex((hit) => hit.end <= start) + 1
        return leaks.mayHave(splice(text, found, [start, end, first]))
      })
      .map((one) => ({ ...one, token: tokenOf(withheld.name, text.slice(one.start, one.end)), ...withheld }))
  }
  /** Hits in binary text; null where the text must be withheld. */
  function hitsIn(text: string, cut = false): readonly Hit[] | null {
    const found = search.in(text, cut)
    const hits = leaks.mayHave(splice(text, found)) ? apart([...leakingTexts(text, found), ...found]) : found
    const isClean = hits === found || !leaks.mayHave(splice(text, hits))
    for (const { name } of isClean ? hits : [withheld]) count(name)
    return isClean ? hits : null
  }
  for (const secret of secrets) learn(secret)
  const parts = partsBy(hitsIn, (text) => search.in(text).length === 0 && !leaks.mayHave(text))
  return {
    learn,
    publish: (text) => shown.publish(text),
    text: parts.text,
    value: parts.value,
    exchange(exchange) {
      const disclosed = disclosedBy(exchange, shown)
      const all = made.cookie + made['webhook-secret'] + made['custom-header'] + disclosed.length
      if (disclosed.length > mostDisclosed.response || all > mostDisclosed.run) {
        count(withheld.name)
        return withoutContent(exchange)
      }
      for (const { kind, value } of disclosed)
        if (!known.has(value) && !(disclose && kind === 'webhook-secret'))
          learn({ name: `${kind}:${++made[kind]}`, value })
      return parts.exchange(exchange)
    },
    redaction: () => ({
      counts: Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      disclosed: disclose,
    }),
    secrets: () => [...known.values()],
  }
}

/** The parts of a text between its quotes; none where it has none, or where there may be too many. */
function quotedIn(text: string): readonly Pick<Hit, 'start' | 'end'>[] {
  const parts = text.length > mostLooked ? [] : text.split(/(?<!\\)"/)
  let end = -1
  const quoted = parts.map((part) => {
    const start = end + 1
    end = start + part.length
    return { start, end }
  })
  return quoted.length === 1 ? [] : quoted
}

type HitsIn = (text: string, cut?: boolean) => readonly Hit[] | null

function partsBy(hitsIn: HitsIn, isClean: (text: string) => boolean) {
  function redacted(given: string, cut = false): string {
    const hits = hitsIn(given, cut)
    return hits === null ? withheldText : splice(given, hits)
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
    isClean(list.flat().join('\n'))
      ? list
      : list.map(([name, content]): Header => [redacted(name), redacted(content)])

  /**
   * A secret may lie across reads; its token is then in the first. Of a compressed body, no part can be taken out. Null
   * where the body must be withheld.
   */
  function chunks(response: Received): readonly Chunk[] | null {
    const plain = decompressed(response)
    if (plain === 'too large') return null
    const body = joined(response.chunks).toString('latin1')
    const hits = hitsIn(plain === null ? body : latin1(plain))
    if (hits?.length === 0) return response.chunks
    return plain === null && hits !== null ? splicedChunks(response.chunks, body, hits) : null
  }

  function exchange(given: Exchange): Exchange {
    const { request, response, failure } = given
    const sent = hitsIn(latin1(request.body))
    const received = response && chunks(response)
    return {
      ...given,
      request: {
        ...request,
        path: redacted(request.path),
        headers: headers(request.headers),
        body: sent === null ? withheldBytes : spliced(request.body, sent),
      },
      response: response && {
        ...response,
        headers: headers(response.headers),
        chunks: received ?? [{ at: response.at, bytes: withheldBytes }],
      },
      failure: failure && { ...failure, message: text(failure.message) },
      ...(sent === null || (response && received === null) ? { withheld: true } : {}),
    }
  }
  return { text, value, exchange }
}

const withheldBytes: Uint8Array = new TextEncoder().encode(withheldText)

/** With a notice in place of each body and of the headers, on either side. */
function withoutContent(exchange: Exchange): Exchange {
  const { request, response, failure } = exchange
  const headers: readonly Header[] = [['x-withheld', withheldText]]
  return {
    ...exchange,
    request: { ...request, path: '/', headers, body: withheldBytes },
    response: response && { ...response, headers, chunks: [{ at: response.at, bytes: withheldBytes }] },
    failure: failure && { ...failure, message: withheldText },
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
