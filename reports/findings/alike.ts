/** Groups findings that report the same observation for several clauses. */
import type { Finding } from '../bundle/record.ts'
import { standingOf } from '../verdicts/standing.ts'

export interface Alike {
  /** Stands for all of them. */
  finding: Finding
  /** Subjects of the others. */
  also: readonly string[]
}

/** One exchange, or a scenario that broke off, may fail many clauses in the same words; order is kept. */
export function alike(findings: readonly Finding[]): readonly Alike[] {
  const groups = Map.groupBy(findings, ({ verdict, scenario, expected, got, detail, evidence, ...finding }) =>
    JSON.stringify([verdict, scenario, expected, got, detail, standingOf(finding), evidence[0]]),
  )
  return [...groups.values()].flatMap(([finding, ...others]) =>
    finding ? [{ finding, also: others.map(({ subject }) => subject) }] : [],
  )
}
