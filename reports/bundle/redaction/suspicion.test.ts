import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSearch } from './search.ts'
import { binary, formsOf } from './spellings.ts'

interface Span {
  start: number
  end: number
}

/** What the patterns find in a text without a first look, each tried at every place. */
function byPatterns(text: string, secret: string): readonly Span[] {
  return formsOf(secret)
    .flatMap((form) => [form.whole(), form.cut()])
    .flatMap((source) => Array.from(text.matchAll(new RegExp(source, 'g'))))
    .map((match) => ({ start: match.index, end: match.index + match[0].length }))
}

const hexOf = (code: number, length: number): string => code.toString(16).padStart(length, '0')
const percent = (text: string): string => Buffer.from(text).toString('hex').replace(/../g, '%$&')
const unicode = (text: string): string => text.replace(/[^]/g, (one) => `\\u${hexOf(one.charCodeAt(0), 4)}`)

const byNumber = (text: string, prefix: string, radix: number): string =>
  Array.from(text, (one) => `${prefix}${one.codePointAt(0)?.toString(radix)};`).join('')

/** Ways to write one character. */
const ways: readonly ((character: string) => string)[] = [
  (character) => character,
  percent,
  (character) => percent(character).toUpperCase(),
  (character) => percent(character).replaceAll('%', '%2525'),
  unicode,
  (character) => `\\\\${unicode(character)}`,
  (character) => JSON.stringify(character).slice(1, -1),
  (text) => byNumber(text, '&#0', 10),
  (text) => byNumber(text, '&amp;#x', 16),
  (character) => (character === '&' ? '&amp;amp;' : character === '"' ? '&#0034;' : character),
]

/** Texts that take in what follows them, when read from the left. */
const before = fc.constantFrom(
  '',
  'x',
  '%',
  '%2',
  '%25',
  '%252',
  '\\',
  '\\u',
  '\\\\u00',
  '\\u00%',
  '&#',
  '25',
)
const character = fc.constantFrom(...Array.from('aAfFuU0259zZ_-+/=%\\&"\' <é🙂'))
const secrets = fc.oneof(
  fc.string({ unit: character, minLength: 4, maxLength: 24 }),
  fc.stringMatching(/^(?:sk|whsec)_[\w-]{12,24}$/),
  fc.stringMatching(/^5?(?:25){2,5}[0-9a-f]{0,6}$/),
)

const whole: readonly ((secret: string) => string)[] = [
  (secret) => Buffer.from(secret).toString('base64'),
  (secret) => Buffer.from(`a${secret}`).toString('base64url'),
  (secret) => percent(Buffer.from(`ab${secret}c`).toString('base64')),
  (secret) => Buffer.from(secret).toString('hex'),
  (secret) => unicode(Buffer.from(secret).toString('hex').toUpperCase()),
]

/** A text with a secret in it, written in some way and perhaps cut. */
const texts = secrets.chain((secret) => {
  const points = Array.from(secret)
  const mixed = fc
    .array(fc.constantFrom(...ways), { minLength: points.length, maxLength: points.length })
    .map((chosen) => points.map((point, i) => chosen[i]?.(point) ?? point).join(''))
  const written = fc.oneof(
    mixed,
    fc.constantFrom(...whole).map((write) => write(secret)),
  )
  const cut = fc.option(fc.nat({ max: 40 }), { nil: null })
  return fc.record({ secret: fc.constant(secret), before, written, cut, after: before })
})

describe('the first look', () => {
  it('misses nothing that a pattern finds', () => {
    let found = 0
    const property = fc.property(fc.array(texts, { minLength: 1, maxLength: 2 }), (given) => {
      const text = binary(
        given
          .map(({ before: b, written, cut, after }) =>
            cut === null ? `${b}${written}${after}` : `${b}${Array.from(written).slice(0, cut).join('')}…`,
          )
          .join(''),
      )
      for (const { secret } of given) {
        const search = createSearch()
        search.add(secret, '[[it]]', 'it')
        const hits = search.inWords(text)
        for (const { start, end } of byPatterns(text, secret)) {
          found++
          expect(hits.some((hit) => hit.start <= start && hit.end >= end)).toBe(true)
        }
      }
    })
    fc.assert(property, { numRuns: 40 })
    expect(found).toBeGreaterThan(10)
  }, 30_000)

  it('finds each of many secrets that begin alike', () => {
    const all = Array.from(
      { length: 200 },
      (_, i) => `whsec_${Buffer.from(`the secret ${i + 1000}`).toString('base64url')}`,
    )
    const search = createSearch()
    for (const [i, value] of all.entries()) search.add(value, `[[${i}]]`, `${i}`)

    const text = all.map((value, i) => (ways[i % ways.length] ?? percent)(value)).join(', ')
    expect(
      search
        .asSent(text)
        .map(({ name }) => Number(name))
        .toSorted((a, b) => a - b),
    ).toEqual([...all.keys()])
  })
})
