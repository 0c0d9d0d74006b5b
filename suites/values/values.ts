/**
 * Texts that a careless program mishandles, and pairs that it takes for one another, for every place that takes a text
 * (docs/internal/rules.md). A new value, or pair, is a line. No text is longer than a limit by any way of counting.
 */
import * as fc from 'fast-check'
import type { Driver } from '../scenario/scenario.ts'

/** Any service keeps these as they are, wherever a text may stand. */
const plain = {
  latin: 'The quick brown fox jumps over the lazy dog.',
  accents: 'Žluťoučký kůň, façade, Ångström, naïve, ß.',
  greek: 'Ξεσκεπάζω τὴν ψυχοφθόρα βδελυγμία.',
  cyrillic: 'Съешь ещё этих мягких французских булок.',
  hebrew: 'דג סקרן שט בים מאוכזב.',
  arabic: 'نص حكيم له سر قاطع وذو شأن عظيم.',
  devanagari: 'ऋषियों को सताने वाले दुष्ट राक्षसों.',
  thai: 'เป็นมนุษย์สุดประเสริฐเลิศคุณค่า',
  chinese: '視野無限廣，窗外有藍天。',
  japanese: 'いろはにほへと ちりぬるを カタカナ',
  korean: '키스의 고유조건은 입술끼리 만나야.',
  emoji: '🙂👍🏽🇨🇭👩‍👩‍👧‍👦❤️',
  astral: '𝒜𝔅𝕮𠜎𠜱𐍈',
  quotes: `"double" 'single' \\back\\slash\\ /slash/ \`tick\``,
  statement: `'; drop table keys; -- "or 1=1`,
  shell: '$(id) `id` | & > /dev/null; %s %00',
  template: '{{7*7}} ${7*7} #{7*7} {0} %{x}',
  markup: '<b>bold</b> &amp; <!-- note --> ]]>',
  members: '__proto__ constructor toString',
  path: '../../etc/passwd //two//slashes /./',
  json: '{"key":[1,null]} [] null true 0012.50e3',
  percent: '100% %41%20 a+b c%2Fd',
  number: '007',
  boolean: 'true',
} as const

/** Some services alter or refuse these in some places, for good reasons of their own. */
const odd = {
  nul: 'a\u0000b',
  controls: 'a\u0001\u001F\u007Fb',
  lines: 'one\ntwo\r\nthree\rfour\tfive\n\nsix',
  separators: 'a\u2028b\u2029c\u0085d\u00A0e',
  invisible: 'a\u200B\uFEFF\u2060\u202Eb',
  decomposed: 'e\u0301 o\u0308 n\u0303 A\u030A',
  loneSurrogate: 'a\uD800b',
  blanks: '  two  blanks  ',
  onlyBlanks: '   ',
} as const

const all = { ...plain, ...odd }
export type ValueKind = keyof typeof all
export const valueKinds = Object.keys(all) as readonly ValueKind[]
export const plainKinds = Object.keys(plain) as readonly ValueKind[]
export const oddKinds = Object.keys(odd) as readonly ValueKind[]
export const valueOf = (kind: ValueKind): string => all[kind]

type Source = Pick<Driver, 'pick'>

export function drawn<T>(source: Source, some: readonly T[], count: number): readonly T[] {
  const order = fc.shuffledSubarray([...some], { minLength: some.length })
  const [shuffled = []] = fc.sample(order, { seed: source.pick(2 ** 31), numRuns: 1 })
  return shuffled.slice(0, count)
}

export function inGroups(source: Source, size: number): readonly (readonly ValueKind[])[] {
  const shuffled = drawn(source, plainKinds, plainKinds.length)
  return Array.from({ length: Math.ceil(shuffled.length / size) }, (_, at) =>
    shuffled.slice(at * size, (at + 1) * size),
  )
}

export const inOneText = (kinds: readonly ValueKind[]): string => kinds.map(valueOf).join(' ')

export function timesOver(kind: ValueKind, bytes: number): string {
  const text = `${valueOf(kind)} `
  return text.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(text))))
}

/** Each place of a text with what may be there instead, so that a prefix, a sum or a form of it stays the same. */
const places = {
  letter: ['xa', 'xb'],
  digit: ['v1', 'v2'],
  case: ['Case', 'cASE'],
  order: ['ab', 'ba'],
  words: ['one two', 'two one'],
  /** Equal to `String.hashCode` of Java, and to CRC32. */
  javaHash: ['Aa', 'BB'],
  crc32: ['plumless', 'buckeroo'],
  number: ['n7', 'n07'],
} as const satisfies Readonly<Record<string, readonly [one: string, other: string]>>

export const letterAt = (text: string, at: number): string =>
  text.slice(0, at) + (text[at] === 'q' ? 'k' : 'q') + text.slice(at + 1)

/** A text in ASCII and those that are near to it, each in one place; with `only`, in these kinds of places. */
export function nearTexts(
  stem: string,
  blank = ' ',
  only?: readonly (keyof typeof places)[],
): readonly [text: string, ...others: readonly string[]] {
  const kinds = Object.entries(places)
  const textWith = (changed?: string): string =>
    [stem, ...kinds.map(([kind, [one, other]]) => (kind === changed ? other : one))]
      .join(' ')
      .replaceAll(' ', blank)
  const text = textWith()
  if (only) return [text, ...only.map(textWith)]
  return [
    text,
    ...kinds.map(([kind]) => textWith(kind)),
    ...[0, text.length >> 1, text.length - 1].map((at) => letterAt(text, at)),
    `${text}.`,
    `${text}/`,
  ]
}
