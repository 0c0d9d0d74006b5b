/**
 * Messages that differ from another one in one place, by a letter, a digit, the case of a letter or the order of two.
 * They have as many characters as the other one, and no Unicode form makes the two the same.
 */

const letters = /\p{L}|\p{Extended_Pictographic}/u

/** The characters of a text, none of them cut. */
const signsOf = (text: string): readonly string[] => Array.from(text)

const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

/** The place at or after `from` whose character fits, else the last one before it; -1 where there is none. */
function placeOf(signs: readonly string[], from: number, fits: (sign: string) => boolean): number {
  const after = signs.findIndex((sign, at) => at >= from && fits(sign))
  return after === -1 ? signs.findLastIndex((sign, at) => at < from && fits(sign)) : after
}

function put(signs: readonly string[], at: number, sign: string): string {
  return signs.with(at, sign).join('')
}

/** Another letter of the same script in the next place that has one. Throws where a text has only one letter. */
export function otherLetter(text: string, from: number): string {
  const signs = signsOf(text)
  const at = placeOf(signs, from, (sign) => letters.test(sign))
  const old = signs[at] ?? ''
  const others = signs.filter((sign) => letters.test(sign) && folded(sign) !== folded(old))
  const other = others.find(({ length }) => length === old.length) ?? others[0]
  if (other === undefined) throw new Error('the text has only one letter')
  return put(signs, at, other)
}

/** Another digit in the next place that has one. */
export function otherDigit(text: string, from: number): string {
  const signs = signsOf(text)
  const at = placeOf(signs, from, (sign) => /\d/.test(sign))
  return put(signs, at, String((Number(signs[at]) + 1) % 10))
}

/** The next letter that has two cases in the other one. */
export function otherCase(text: string, from: number): string {
  const signs = signsOf(text)
  const at = placeOf(signs, from, (sign) => /[a-z]/i.test(sign))
  const sign = signs[at] ?? ''
  return put(signs, at, sign === sign.toUpperCase() ? sign.toLowerCase() : sign.toUpperCase())
}

/** The next two neighbours that are different letters in the other order. */
export function otherOrder(text: string, from: number): string {
  const signs = signsOf(text)
  const isPair = (at: number): boolean => {
    const [one = '', two = ''] = signs.slice(at, at + 2)
    return letters.test(one) && letters.test(two) && folded(one) !== folded(two)
  }
  const places = signs.keys().toArray().filter(isPair)
  const at = places.find((place) => place >= from) ?? places.at(-1) ?? 0
  return signs.toSpliced(at, 2, signs[at + 1] ?? '', signs[at] ?? '').join('')
}

/** Two words in the other order. */
export function otherWords(text: string): string {
  const words = text.split(' ')
  const at = words.findIndex((word, i) => i > 0 && word !== words[i - 1])
  return words.toSpliced(at - 1, 2, words[at] ?? '', words[at - 1] ?? '').join(' ')
}
