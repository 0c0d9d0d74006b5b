import { nearest as mistyped } from '../spec/nearest.ts'

function likelyName(word: string, names: readonly string[]): string | undefined {
  const lower = word.toLowerCase()
  const around = (name: string): boolean => lower.length >= 3 && name.toLowerCase().includes(lower)
  return mistyped(word, names) ?? names.find(around)
}

/** More names than these are not listed beside the one that was probably meant. */
const mostListed = 8

/** More than these are shown by a list of their own. */
const mostNamed = 100

/** What to write instead: `did you mean x?`, and all names if they are few. */
export function alternatives(word: string, names: readonly string[]): string {
  const name = likelyName(word, names)
  if (name === undefined)
    return names.length > mostNamed
      ? `choose from ${names.length} names, such as ${names.slice(0, mostListed).join(', ')}`
      : `choose from ${names.join(', ')}`
  return `did you mean ${name}?${names.length > mostListed ? '' : ` Choices: ${names.join(', ')}`}`
}

/** ` (did you mean x?)`, or an empty string. */
export function hint(word: string, names: readonly string[]): string {
  const name = likelyName(word, names)
  return name === undefined ? '' : ` (did you mean ${name}?)`
}
