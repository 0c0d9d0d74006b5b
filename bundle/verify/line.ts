/** The result of one inspection of a bundle. */

export type InspectionOutcome =
  | 'holds'
  /** Something is not as the run wrote it. */
  | 'broken'
  /** Nothing to look at, or not asked for. */
  | 'open'
  /** There was nothing to look at because the run was cut off, or this version cannot check it. */
  | 'incomplete'

export interface InspectionLine {
  outcome: InspectionOutcome
  words: string
  /** Each on a line of its own; they may quote what stands in the bundle, as it is. */
  problems: readonly string[]
}

export const holds = (words: string): InspectionLine => ({ outcome: 'holds', words, problems: [] })
export const notChecked = (words: string): InspectionLine => ({ outcome: 'open', words, problems: [] })
export const incomplete = (words: string): InspectionLine => ({ outcome: 'incomplete', words, problems: [] })
export const notVerified = (words: string, problems: readonly string[] = []): InspectionLine => ({
  outcome: 'broken',
  words,
  problems,
})

/** `good` where there are no problems. */
export function judged(problems: readonly string[], good: string, bad: string): InspectionLine {
  return problems.length === 0 ? holds(good) : notVerified(bad, problems)
}

export function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
