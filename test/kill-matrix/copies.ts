/** What a run says of a broken copy of a receiver or a client, held against what it has to say. */
import type { RunRecord } from '../../reports/bundle/record.ts'

export interface CopyTold {
  readonly name: string
  /** Check ids. */
  readonly red: readonly string[]
  /** What was to be said of it and was not, or was and should not. */
  readonly problems: readonly string[]
}

/** Clauses that did not pass, each with the worst that was said of it. */
export function against({ findings }: RunRecord): Record<string, string> {
  const said = (verdict: string) => findings.filter((finding) => finding.verdict === verdict)
  const order = ['inconclusive', 'not-exercised', 'warn', 'error', 'fail']
  return Object.fromEntries(
    order.flatMap((verdict) => said(verdict).map(({ subject }) => [subject, verdict])),
  )
}

/** `found`: what `against` has to be. */
export function copyTold(
  name: string,
  record: RunRecord,
  found: Readonly<Record<string, string>> = {},
): CopyTold {
  const red = record.findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  const said = against(record)
  const differs = Object.keys({ ...said, ...found }).filter((clause) => said[clause] !== found[clause])
  const fails = Object.values(found).includes('fail')
  return {
    name,
    red: red.map(({ check }) => check),
    problems: [
      ...differs.map(
        (clause) => `${clause}: expected ${found[clause] ?? 'pass'}, got ${said[clause] ?? 'pass'}`,
      ),
      ...((record.conformance === 'nonconformant') === fails ? [] : [`the run is ${record.conformance}`]),
    ],
  }
}
