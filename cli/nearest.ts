/** Suggestions for mistyped names. */
import { nearest as mistyped } from '../suites/config/file/nearest.ts'

/** The most similar name, else one that contains the word, else undefined. */
export function likelyName(word: string, names: readonly string[]): string | undefined {
  const lower = word.toLowerCase()
  const around = (name: string): boolean => lower.length >= 3 && name.toLowerCase().includes(lower)
  return mistyped(word, names) ?? names.find(around)
}

/** ` (did you mean x?)`, or an empty string. */
export function hint(word: string, names: readonly string[]): string {
  const name = likelyName(word, names)
  return name === undefined ? '' : ` (did you mean ${name}?)`
}
