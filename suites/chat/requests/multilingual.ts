/** Messages in many scripts. No text is longer than the limit by any way of counting characters. */
import * as fc from 'fast-check'
import { limits } from '../../../spec/index.ts'

/** Letters of a script, or characters that a careless parser of JSON, of lines or of UTF-8 mishandles. */
export const lettersByScript = {
  latin: 'The quick brown fox jumps over the lazy dog. ',
  accents: 'Žluťoučký kůň, façade, Ångström, naïve, ß. ',
  decomposed: 'e\u0301 o\u0308 n\u0303 A\u030A ',
  greek: 'Ξεσκεπάζω τὴν ψυχοφθόρα βδελυγμία. ',
  cyrillic: 'Съешь ещё этих мягких французских булок. ',
  hebrew: 'דג סקרן שט בים מאוכזב. ',
  arabic: 'نص حكيم له سر قاطع وذو شأن عظيم. ',
  devanagari: 'ऋषियों को सताने वाले दुष्ट राक्षसों. ',
  thai: 'เป็นมนุษย์สุดประเสริฐเลิศคุณค่า ',
  chinese: '視野無限廣，窗外有藍天。',
  japanese: 'いろはにほへと ちりぬるを カタカナ',
  korean: '키스의 고유조건은 입술끼리 만나야. ',
  emoji: '🙂👍🏽🇨🇭👩‍👩‍👧‍👦❤️ ',
  astral: '𝒜𝔅𝕮𠜎𠜱𐍈 ',
  quotes: `"double" 'single' \\back\\slash\\ /slash/ \`tick\` `,
  markup: '<b>bold</b> &amp; <!-- note --> ]]> %s %00 ${x} {{y}} ',
  lines: 'one\ntwo\r\nthree\rfour\tfive\n\nsix ',
  separators: 'a\u2028b\u2029c\u0085d\u00A0e\u200Bf\u202Eg\uFEFFh ',
} as const
export type WritingScript = keyof typeof lettersByScript
export const scriptNames = Object.keys(lettersByScript) as readonly WritingScript[]

/**
 * All scripts in few messages. Those of the first two have no letter that is ASCII: a service that drops what it cannot
 * store may be left with nothing.
 */
export const scriptGroups = [
  ['hebrew', 'arabic', 'greek', 'cyrillic', 'devanagari', 'thai'],
  ['emoji', 'chinese', 'japanese', 'korean', 'astral'],
  ['latin', 'accents', 'decomposed', 'quotes', 'markup', 'lines', 'separators'],
] as const satisfies readonly (readonly WritingScript[])[]

/** The text of a script, repeated to about `bytes` bytes without splitting a character. */
export function textOfScript(script: WritingScript, bytes: number): string {
  const text = lettersByScript[script]
  const times = Math.max(1, Math.floor(bytes / Buffer.byteLength(text)))
  return text.repeat(times)
}

const { messageMaxCharacters: longest } = limits
const lengths = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 300 }) },
  { weight: 1, arbitrary: fc.integer({ min: 301, max: longest }) },
  { weight: 1, arbitrary: fc.constantFrom(1, 255, 256, 4095, 4096, 8191, 8192, longest - 1, longest) },
)

/** `count` messages, alternately in the next of the scripts and in ASCII of a boundary length. */
export function multilingualMessages(seed: number, count: number): readonly string[] {
  const sample = fc.sample(fc.tuple(lengths, fc.nat(scriptNames.length - 1)), { seed, numRuns: count })
  return sample.map(([length, at], i) => {
    const script = scriptNames[(at + i) % scriptNames.length] ?? 'latin'
    return i % 2 === 0 ? ascii(length) : textOfScript(script, Math.min(length, longest))
  })
}

function ascii(length: number): string {
  return lettersByScript.latin.repeat(Math.ceil(length / lettersByScript.latin.length)).slice(0, length)
}
