/** Idempotency keys: ordinary ones of every length, and unusual ones for each carrier. */
import * as fc from 'fast-check'
import { limits } from '../../../spec/index.ts'
import type { Driver } from '../../scenario/scenario.ts'

type Source = Pick<Driver, 'key' | 'pick'>

const longest = limits.idempotencyKeyMaxCharacters
/** This much of a fresh key makes another key unique. */
const tag = 24
const seeds = 2 ** 31

/** Printable ASCII, with spaces only inside, since servers may trim. */
const printable = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
const inner = fc.oneof({ weight: 9, arbitrary: printable }, { weight: 1, arbitrary: fc.constant(' ') })
const lengths = fc.oneof(
  fc.integer({ min: tag + 2, max: longest }),
  fc.constantFrom(tag + 2, 36, 63, 64, 65, 127, 128, 129, longest - 1, longest),
)

/** Fresh keys of printable ASCII; the seed determines their lengths and unusual characters. */
export function bodyKeys(source: Source, count: number): readonly string[] {
  const shape = lengths.chain((length) =>
    fc.tuple(printable, fc.string({ unit: inner, minLength: length - tag - 1, maxLength: length - tag - 1 })),
  )
  return fc
    .sample(shape, { seed: source.pick(seeds), numRuns: count })
    .map(([first, rest]) => first + rest + source.key().slice(-tag))
}

const inBody = {
  quotes: `"'\`\\"`,
  statement: `'; drop table keys; --`,
  path: '../../etc/passwd',
  template: '{{7*7}} ${7*7} %s %00',
  markup: '<script>alert(1)</script>',
  control: '\u0000\u0001\u001F\u007F',
  lines: 'one\r\ntwo\nthree\tfour',
  accents: 'clé-ñandú-Å',
  decomposed: 'cle\u0301-n\u0303',
  chinese: '鍵鍵鍵',
  rightToLeft: 'מפתח\u202Eyek',
  emoji: '🙂👩‍👩‍👧‍👦🇨🇭',
  astral: '𝒦𝑒𝓎',
  loneSurrogate: 'k\uD800y',
  invisible: '\u200B\uFEFF\u2060',
  blanks: '   ',
  members: '__proto__',
  json: '{"key":[1,null]}',
  separators: 'account:agent|key,other;third',
} as const

/** Characters that are legal in the value of a header field, and that a careless parser misinterprets. */
const inHeader = {
  quoted: '"quoted"',
  list: 'one, two',
  parameters: 'key; path=/',
  escaped: '%00%0d%0a%F0%9F%99%82',
  backslash: 'back\\slash"',
  tab: 'a\tb',
  braces: '{}[]()<>@:?=/',
  template: '${jndi:x}{{7*7}}%s',
  dots: '../../../',
  percent: '%%%',
} as const

/** Unusual keys for the body, each made unique by its end, except keys of whitespace alone. */
export function oddKeys(source: Source, count: number): readonly string[] {
  return sampleOf(inBody, source, count)
}

export function oddHeaderKeys(source: Source, count: number): readonly string[] {
  return sampleOf(inHeader, source, count)
}

function sampleOf(table: Readonly<Record<string, string>>, source: Source, count: number): readonly string[] {
  const order = fc.shuffledSubarray(Object.values(table), {
    minLength: Math.min(count, Object.keys(table).length),
  })
  const [unusual = []] = fc.sample(order, { seed: source.pick(seeds), numRuns: 1 })
  return unusual.slice(0, count).map((odd) => (odd.trim() === '' ? odd : odd + source.key().slice(-tag)))
}

/** Two keys of the maximum length that differ in their last character. */
export function almostEqual(source: Pick<Driver, 'key'>, length = longest): readonly [string, string] {
  const stem = source.key().padEnd(length - 1, 'x')
  return [`${stem}1`, `${stem}2`]
}
