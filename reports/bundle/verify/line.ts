/** What one inspection of a bundle came to. */

export type Outcome =
  | 'holds'
  /** Something is not as the run wrote it. */
  | 'broken'
  /** Nothing to look at, or not asked for. */
  | 'open'
  /** There was nothing to look at because the run was cut off, or this version cannot tell. */
  | 'incomplete'

export interface Line {
  outcome: Outcome
  words: string
  /** Each on a line of its own; they may quote what stands in the bundle, as it is. */
  problems: readonly string[]
}

export const holds = (words: string): Line => ({ outcome: 'holds', words, problems: [] })
export const open = (words: string): Line => ({ outcome: 'open', words, problems: [] })
export const incomplete = (words: string): Line => ({ outcome: 'incomplete', words, problems: [] })
export const broken = (words: string, problems: readonly string[] = []): Line => ({
  outcome: 'broken',
  words,
  problems,
})

/** `good` where there are no problems. */
export function judged(problems: readonly string[], good: string, bad: string): Line {
  return problems.length === 0 ? holds(good) : broken(bad, problems)
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
