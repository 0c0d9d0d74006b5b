/** What a team allows of a run, entry by entry, and the days that bound an entry. */

export type Day = string

export interface Promised {
  check: string
  owner: string
  reason: string
  issue?: string
  /** The last day on which it counts. */
  expires: Day
  /** Where it is written, `file:line`. */
  at?: string
}

export interface KnownFailure extends Promised {
  /** Of the failure that is known: another failure of the same check is not. */
  fingerprint: string
  created: Day
}

export type FlakyCheck = Promised

export interface ExpectedNotExercised {
  /** A check, clause, scenario, area, state or reason, where `*` matches anything. */
  pattern: string
  reason: string
  at?: string
}

export interface Policy {
  knownFailures: readonly KnownFailure[]
  flaky: readonly FlakyCheck[]
  expectedNotExercised: readonly ExpectedNotExercised[]
}

export interface WrittenPolicy {
  knownFailures?: string | readonly KnownFailure[]
  flaky?: readonly FlakyCheck[]
  expectedNotExercised?: readonly ExpectedNotExercised[]
}

/** Nothing may fail, and nothing may be missing. */
export const emptyPolicy: Policy = { knownFailures: [], flaky: [], expectedNotExercised: [] }

export const mostDays = 180

const dayMs = 86_400_000

export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && dayAfter(text, 0) === text
}

export function daysFrom(one: Day, other: Day): number {
  return (Date.parse(other) - Date.parse(one)) / dayMs
}

export function dayAfter(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
}

export function entryName(kind: string, { check, owner, at }: Promised): string {
  return `${placeOf(at)}the ${kind} ${check} (${owner})`
}

export function expectationName({ pattern, at }: ExpectedNotExercised): string {
  return `${placeOf(at)}the expectation "${pattern}"`
}

function placeOf(at: string | undefined): string {
  return at === undefined ? '' : `${at}: `
}
