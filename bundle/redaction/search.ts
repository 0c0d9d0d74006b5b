/** Finds secrets in a text of one character per byte, whole or cut short by an ellipsis, and puts tokens in their places. */
import { binary, wireForms, withoutPrefix } from '../text.ts'
import { createNeedles } from './needles.ts'

/** What stands in the place of a secret, anywhere in a text: whether two secrets were the same shows, and no more. */
export const token = /\[\[([\w:.-]+):[0-9a-f]{8}\]\]/

export interface Hit {
  start: number
  end: number
  token: string
  name: string
}

interface Known {
  encoded: string
  token: string
  name: string
}

/** Characters of a secret that show whose it is. */
const leastOfCut = 6
/** UTF-8 of the ellipsis, as binary text. */
const ellipsis = '\xe2\x80\xa6'
/** What may be left of a character, or of its escape, that was cut in half. */
const half = /(?:\xef\xbf\xbd|%[\da-fA-F]?|\\+(?:u[\da-fA-F]{0,3})?|&[#\w]{0,5}|[\w+/-]){0,4}/y

const lower = (text = ''): string => text.toLowerCase()

export function createSearch() {
  const needles = createNeedles<Known>()
  const beginnings = new Map<string, Known[]>()

  function cutAt(text: string, at: number): readonly Hit[] {
    return (beginnings.get(lower(text.slice(at, at + leastOfCut))) ?? []).flatMap(
      ({ encoded, token, name }) => {
        let end = at
        while (end < text.length && lower(text[end]) === lower(encoded[end - at])) end++
        half.lastIndex = end
        end += half.exec(text)?.[0].length ?? 0
        return text.startsWith(ellipsis, end) ? [{ start: at, end, token, name }] : []
      },
    )
  }
  return {
    add(value: string, token: string, name: string): void {
      for (const encoded of withoutPrefix(value).flatMap(encodingsOf)) {
        const known = { encoded, token, name }
        const beginning = lower(encoded.slice(0, leastOfCut))
        needles.add(encoded, known)
        beginnings.set(beginning, [...(beginnings.get(beginning) ?? []), known])
      }
    },
    /** In order and apart. `cut`: also beginnings of a secret before an ellipsis. */
    in(text: string, cut = false): readonly Hit[] {
      if (beginnings.size === 0) return []
      // The same letters in another case may be a secret of their own, which then comes first.
      const [exact, others]: [Hit[], Hit[]] = [[], []]
      for (const { start, end, of } of needles.in(text)) {
        const hits = of.encoded === text.slice(start, end) ? exact : others
        hits.push({ start, end, token: of.token, name: of.name })
      }
      if (cut && text.includes(ellipsis))
        for (let at = 0; at + leastOfCut <= text.length; at++) others.push(...cutAt(text, at))
      return apart([...exact, ...others])
    },
  }
}

/** In order and apart: what is within another is left out, what overlaps another begins after it. */
export function apart(hits: readonly Hit[]): readonly Hit[] {
  const inOrder = hits.toSorted((a, b) => a.start - b.start || b.end - a.end)
  const kept: Hit[] = []
  let next = 0
  for (const hit of inOrder) {
    if (hit.end <= next) continue
    kept.push({ ...hit, start: Math.max(hit.start, next) })
    next = hit.end
  }
  return kept
}

/** The part of a text between two positions, with the hits that begin in it replaced and those that reach in cut; `first` reaches into or behind it. */
export function splice(
  text: string,
  hits: readonly Pick<Hit, 'start' | 'end' | 'token'>[],
  [from, to, first] = [0, text.length, 0],
): string {
  let out = ''
  let next = from
  for (let at = first; (hits[at]?.start ?? to) < to; at++) {
    const { start, end, token } = hits[at] as Hit
    out += text.slice(next, Math.max(next, start)) + (start >= from ? token : '')
    next = Math.min(end, to)
  }
  return out + text.slice(next, to)
}

/** The encodings in which servers repeat a secret: as it is, in JSON, in a URL, in HTML, in base64 and in hex. Longer ones first. */
function encodingsOf(value: string): readonly string[] {
  const secret = value.toWellFormed()
  const json = inJson(secret)
  const texts = [
    json,
    json.replaceAll('/', '\\/'),
    inAscii(json),
    inAscii(json.replaceAll('/', '\\/')),
    inAscii(json, /[\u0080-\uffff<>&']/g),
    inJson(json),
    inJson(inJson(json)),
    encodeURI(secret),
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    inHtml(secret, '&#39;', '&quot;'),
    inHtml(secret, '&#x27;', '&quot;'),
    inHtml(secret, '&apos;', '&#34;'),
  ].map(binary)
  const inBytes = wireForms(secret).flatMap((bytes) => [
    bytes.toString('latin1'),
    bytes.toString('hex'),
    ...[0, 1, 2].flatMap((before) => inBase64(bytes, before)),
  ])
  return [...new Set([...texts, ...inBytes])].toSorted((one, other) => other.length - one.length)
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function inAscii(json: string, escaped = /[\u0080-\uffff]/g): string {
  return json.replaceAll(escaped, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function inHtml(text: string, apostrophe: string, quote: string): string {
  const [ampersand, less, greater] = ['&amp;', '&lt;', '&gt;']
  return text
    .replaceAll('&', ampersand)
    .replaceAll('<', less)
    .replaceAll('>', greater)
    .replaceAll("'", apostrophe)
    .replaceAll('"', quote)
}

const shortestBase64 = 5

/** In both alphabets, after `before` bytes modulo 3: the characters that depend on nothing but the secret. */
function inBase64(secret: Uint8Array, before: number): readonly string[] {
  const whole = Buffer.concat([Buffer.alloc(before), secret])
  const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6)]
  const [plain, url] = [whole.toString('base64').slice(from, to), whole.toString('base64url').slice(from, to)]
  if (plain.length < shortestBase64) return []
  return [plain, url, plain.replaceAll('/', '\\/'), encodeURIComponent(plain)]
}
