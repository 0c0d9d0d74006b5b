/** Numbers and names in words that stay short. */
import { visibleLine } from '../visible.ts'

/** `1 request`, `2,258 requests`. */
export function countedAmount(count: number, one: string, many = `${one}s`): string {
  return `${amount(count)} ${count === 1 ? one : many}`
}

/** With at most two decimals; powers of ten where it would be long. */
export function amount(value: number): string {
  if (Math.abs(value) >= 1e9) return value.toExponential(1)
  const [whole = '', decimals] = String(Number(value.toFixed(2))).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return decimals === undefined ? grouped : `${grouped}.${decimals}`
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** On one line and of that length at most: what a target calls something may be anything. */
export function clipped(text: string, most: number): string {
  const line = visibleLine(text.slice(0, 4 * most))
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`
}

/** `12 kB` in thousands. */
export function size(bytes: number): string {
  if (bytes < 1_000) return countedAmount(bytes, 'byte')
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
