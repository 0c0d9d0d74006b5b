/** What the matrix leaves unexplained: faults that do other than they say, and checks that nothing turns red. */
import type { Red } from './telling.ts'

export interface FaultTold {
  readonly id: string
  /** What it says that it breaks. */
  readonly breaks: readonly string[]
  /** One telling or more. */
  readonly tellings: readonly (readonly Red[])[]
}

export const clauseOf = (check: string): string => check.slice(check.lastIndexOf('/') + 1)

/** Check ids that turned red; what broke in our own hands is none. */
export const killsIn = (red: readonly Red[]): readonly string[] =>
  red.filter(({ broken }) => !broken).map(({ check }) => check)

/** A telling without the clauses that its fault breaks only now and then: these are held against nothing. */
export function sureOf(red: readonly Red[], chance: readonly string[] = []): readonly Red[] {
  return red.filter(({ check, broken }) => broken || !chance.includes(clauseOf(check)))
}

/** Whether this telling shows what the fault says that it breaks, all of it and nothing else. */
export function asNamed({ breaks }: Pick<FaultTold, 'breaks'>, red: readonly Red[]): boolean {
  const clauses = new Set(red.map(({ check }) => clauseOf(check)))
  return red.every(({ broken }) => !broken) && clauses.symmetricDifference(new Set(breaks)).size === 0
}

/**
 * A clause has to turn red in one telling at least: the others may have raced otherwise. What it has no say in must
 * not turn red, and once is let pass only where the fault was told again and it did not come back.
 */
export function problemsOf({ id, breaks, tellings }: FaultTold): readonly string[] {
  const seen = new Set(tellings.flatMap(killsIn).map(clauseOf))
  const missing = breaks.filter((clause) => !seen.has(clause))
  const foreign = tellings.map((red) =>
    red.filter((one) => one.broken || !breaks.includes(clauseOf(one.check))),
  )
  const often = (check: string): number =>
    foreign.filter((red) => red.some((one) => one.check === check)).length
  const stray = foreign.flat().filter(({ check }) => tellings.length === 1 || often(check) > 1)
  const says = new Map(stray.map((one) => [one.check, one.says]))
  return [
    ...missing.map((clause) => `${id} does not turn ${clause} red`),
    ...[...says.values()].map((words) => `${id} turns red what it does not name: ${words}`),
  ]
}

/** Checks without a killer and without a reason, and reasons that are none. */
export function unexplainedChecks(
  checks: readonly string[],
  killed: ReadonlySet<string>,
  reasons: Readonly<Record<string, string>>,
): readonly string[] {
  const bare = checks.filter((check) => !killed.has(check) && !Object.hasOwn(reasons, check))
  const idle = Object.keys(reasons).filter((check) => killed.has(check) || !checks.includes(check))
  return [
    ...bare.map((check) => `${check}: no fault turns it red`),
    ...idle.map(
      (check) =>
        `${check}: has a reason for not being killed, and ${killed.has(check) ? 'is killed' : 'is no check'}`,
    ),
  ]
}
