/**
 * Messages with a single edit: another letter or digit, another case, or two letters swapped. They have as many
 * characters as the original, and no Unicode normalization makes the two equal.
 */

const letters = /\p{L}|\p{Extended_Pictographic}/u

/** The characters of a text, without splitting surrogate pairs. */
const charactersOf = (text: string): readonly string[] => Array.from(text)

const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

/** The index of the first matching character at or after `from`, else of the last one before it; -1 without a match. */
function placeOf(characters: readonly string[], from: number, fits: (character: string) => boolean): number {
  const after = characters.findIndex((character, at) => at >= from && fits(character))
  return after === -1 ? characters.findLastIndex((character, at) => at < from && fits(character)) : after
}

function put(characters: readonly string[], at: number, character: string): string {
  return characters.with(at, character).join('')
}

/** Replaces the next letter by another one of the same script. Throws if the text has only one letter. */
export function otherLetter(text: string, from: number): string {
  const characters = charactersOf(text)
  const at = placeOf(characters, from, (character) => letters.test(character))
  const old = characters[at] ?? ''
  const others = characters.filter(
    (character) => letters.test(character) && folded(character) !== folded(old),
  )
  const other = others.find(({ length }) => length === old.length) ?? others[0]
  if (other === undefined) throw new Error('the text has only one letter')
  return put(characters, at, other)
}

/** Increments the next digit. */
export function otherDigit(text: string, from: number): string {
  const characters = charactersOf(text)
  const at = placeOf(characters, from, (character) => /\d/.test(character))
  return put(characters, at, String((Number(characters[at]) + 1) % 10))
}

/** Changes the case of the next letter that has two. */
export function otherCase(text: string, from: number): string {
  const characters = charactersOf(text)
  const at = placeOf(characters, from, (character) => /[a-z]/i.test(character))
  const character = characters[at] ?? ''
  return put(
    characters,
    at,
    character === character.toUpperCase() ? character.toLowerCase() : character.toUpperCase(),
  )
}

/** Swaps the next two different letters. */
export function otherOrder(text: string, from: number): string {
  const characters = charactersOf(text)
  const isPair = (at: number): boolean => {
    const [one = '', two = ''] = characters.slice(at, at + 2)
    return letters.test(one) && letters.test(two) && folded(one) !== folded(two)
  }
  const places = characters.keys().toArray().filter(isPair)
  const at = places.find((place) => place >= from) ?? places.at(-1) ?? 0
  return characters.toSpliced(at, 2, characters[at + 1] ?? '', characters[at] ?? '').join('')
}

export function otherWords(text: string): string {
  const words = text.split(' ')
  const at = words.findIndex((word, i) => i > 0 && word !== words[i - 1])
  return words.toSpliced(at - 1, 2, words[at] ?? '', words[at - 1] ?? '').join(' ')
}
