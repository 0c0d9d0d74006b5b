/** Finding the name that was probably meant, in a list of which people type parts. */
import { nearest as mistyped } from '../suites/config/file/nearest.ts'

/** The nearest of some names, or one that has the word in it, unless all of them are far away. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const lower = word.toLowerCase()
  const around = (name: string): boolean => lower.length >= 3 && name.toLowerCase().includes(lower)
  return mistyped(word, names) ?? names.find(around)
}

/** ` (did you mean x?)`, or nothing. */
export function hint(word: string, names: readonly string[]): string {
  const name = nearest(word, names)
  return name === undefined ? '' : ` (did you mean ${name}?)`
}
