/**
 * Takes secrets out of what is written to disk, by value: wherever one occurs, in whatever spelling, a token with
 * its name stands instead, so it still shows where the same secret was used. Lengths change; nothing else does.
 */
import type { Chunk, Exchange, Header, SentRequest } from './exchange.ts'
import { binary, cutSpellings, fromBinary, spellings } from './spellings.ts'

export interface Secret {
  /** Letters, digits and `:._-`, such as `key:main`; it stands in the token. */
  name: string
  value: string
}

export interface Redactor {
  /** Of words about an exchange, in which a secret may also have been cut to size. */
  text(text: string): string
  bytes(bytes: Uint8Array): Uint8Array
  exchange(exchange: Exchange): Exchange
}

interface Hit {
  start: number
  end: number
  token: string
}

/** Throws for a name that would not survive inside JSON, and for a value too short to be told from other text. */
export function redactor(secrets: readonly Secret[]): Redactor {
  for (const secret of secrets) mustBeUsable(secret)
  const longestFirst = [...secrets].sort((a, b) => b.value.length - a.value.length)
  const patternOf = (spell: (secret: string) => readonly string[]): RegExp =>
    new RegExp(longestFirst.map(({ value }) => `(${spell(value).join('|')})`).join('|'), 'g')
  const asSent = patternOf(spellings)
  // Only words about an exchange are ever cut to size.
  const inWords = patternOf((secret) => [...spellings(secret), ...cutSpellings(secret)])

  // No spelling is shorter than its secret, and most headers are shorter than any secret.
  const shortest = Math.min(...secrets.map(({ value }) => value.length))

  function hits(text: string, pattern = asSent): readonly Hit[] {
    if (text.length < shortest) return []
    return Array.from(text.matchAll(pattern), (match) => {
      const which = longestFirst[match.slice(1).findIndex((group) => group !== undefined)]
      return { start: match.index, end: match.index + match[0].length, token: `[[${which?.name}]]` }
    })
  }

  const whole = (text: string): string => splice(text, hits(text), 0, text.length)
  const text = (value: string): string => {
    const words = binary(value)
    return fromBinary(splice(words, hits(words, inWords), 0, words.length))
  }
  const bytes = (value: Uint8Array): Uint8Array => new Uint8Array(Buffer.from(whole(latin1(value)), 'latin1'))
  const headers = (list: readonly Header[]): readonly Header[] =>
    list.map(([name, value]) => [whole(name), whole(value)])

  /** A secret may lie across two reads; its token then stands in the first. */
  function chunks(list: readonly Chunk[]): readonly Chunk[] {
    const body = latin1(Buffer.concat(list.map((chunk) => chunk.bytes)))
    const found = hits(body)
    if (found.length === 0) return list
    let start = 0
    return list.map(({ at, bytes }) => {
      const from = start
      start += bytes.length
      return { at, bytes: new Uint8Array(Buffer.from(splice(body, found, from, start), 'latin1')) }
    })
  }

  function request(sent: SentRequest): SentRequest {
    return { ...sent, path: whole(sent.path), headers: headers(sent.headers), body: bytes(sent.body) }
  }

  return {
    text,
    bytes,
    exchange(exchange) {
      const { response, failure } = exchange
      return {
        ...exchange,
        request: request(exchange.request),
        response: response && {
          ...response,
          headers: headers(response.headers),
          chunks: chunks(response.chunks),
        },
        failure: failure && { ...failure, message: text(failure.message) },
      }
    },
  }
}

/** The part of a text between two positions, with the hits that begin in it replaced and those that reach in cut. */
function splice(text: string, hits: readonly Hit[], from: number, to: number): string {
  let out = ''
  let next = from
  for (const { start, end, token } of hits) {
    if (end <= from || start >= to) continue
    out += text.slice(next, Math.max(next, start)) + (start >= from ? token : '')
    next = Math.min(end, to)
  }
  return out + text.slice(next, to)
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
