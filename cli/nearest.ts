/** Finding the name that was probably meant. */

/** Number of letters to insert, delete or replace to get from one word to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** The nearest of some names, unless all of them are far away. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const lower = word.toLowerCase()
  const ranked = names
    .map((name) => ({ name, away: distance(lower, name.toLowerCase()) }))
    .toSorted((one, other) => one.away - other.away)
  const [best] = ranked
  if (best && best.away <= Math.max(2, Math.floor(word.length / 3))) return best.name
  return names.find((name) => lower.length >= 3 && name.toLowerCase().includes(lower))
}

/** ` (did you mean x?)`, or nothing. */
export function hint(word: string, names: readonly string[]): string {
  const name = nearest(word, names)
  return name === undefined ? '' : ` (did you mean ${name}?)`
}
