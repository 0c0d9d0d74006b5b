/** Finds faults that differ from their declaration and checks that no fault fails. */
import type { Red } from './run-job.ts'

export interface FaultRuns {
  readonly id: string
  /** Declared clauses. */
  readonly breaks: readonly string[]
  /** At least one. */
  readonly cellsOfRuns: readonly (readonly Red[])[]
}

export const clauseOf = (check: string): string => check.slice(check.lastIndexOf('/') + 1)

/** Ids of failed checks, without errors of our own. */
export const killsIn = (red: readonly Red[]): readonly string[] =>
  red.filter(({ broken }) => !broken).map(({ check }) => check)

/** Omits the clauses that the fault breaks only sometimes. */
export function sureOf(red: readonly Red[], chance: readonly string[] = []): readonly Red[] {
  return red.filter(({ check, broken }) => broken || !chance.includes(clauseOf(check)))
}

/** Whether a run fails exactly the declared clauses. */
export function isAsDeclared({ breaks }: Pick<FaultRuns, 'breaks'>, red: readonly Red[]): boolean {
  const clauses = new Set(red.map(({ check }) => clauseOf(check)))
  return red.every(({ broken }) => !broken) && clauses.symmetricDifference(new Set(breaks)).size === 0
}

/**
 * A declared clause must fail in at least one run, because requests may race. An undeclared one must not fail; once in
 * several runs is ignored.
 */
export function problemsOf({ id, breaks, cellsOfRuns: runs }: FaultRuns): readonly string[] {
  const seen = new Set(runs.flatMap(killsIn).map(clauseOf))
  const missing = breaks.filter((clause) => !seen.has(clause))
  const foreign = runs.map((red) => red.filter((one) => one.broken || !breaks.includes(clauseOf(one.check))))
  const often = (check: string): number =>
    foreign.filter((red) => red.some((one) => one.check === check)).length
  const stray = foreign.flat().filter(({ check }) => runs.length === 1 || often(check) > 1)
  const messages = new Map(stray.map((one) => [one.check, one.message]))
  return [
    ...missing.map((clause) => `${id} does not fail ${clause}`),
    ...[...messages.values()].map((words) => `${id} fails an undeclared clause: ${words}`),
  ]
}

/** Checks without a kill and without a reason, and reasons that do not apply. */
export function unexplainedChecks(
  checks: readonly string[],
  killed: ReadonlySet<string>,
  reasons: Readonly<Record<string, string>>,
): readonly string[] {
  const bare = checks.filter((check) => !killed.has(check) && !Object.hasOwn(reasons, check))
  const idle = Object.keys(reasons).filter((check) => killed.has(check) || !checks.includes(check))
  return [
    ...bare.map((check) => `${check}: no fault fails it`),
    ...idle.map(
      (check) =>
        `${check}: has a reason for not being killed, and ${killed.has(check) ? 'is killed' : 'is no check'}`,
    ),
  ]
}
