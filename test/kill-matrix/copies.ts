/** Compares the verdicts about a broken receiver or client with the expected ones. */
import type { RunRecord } from '../../bundle/record.ts'

export interface CopyResult {
  readonly name: string
  /** Check ids. */
  readonly red: readonly string[]
  /** Differences from the expected verdicts. */
  readonly problems: readonly string[]
}

/** The worst verdict of each clause that did not pass. */
export function worstVerdicts({ findings }: RunRecord): Record<string, string> {
  const actual = (verdict: string) => findings.filter((finding) => finding.verdict === verdict)
  const order = ['inconclusive', 'not-exercised', 'warn', 'error', 'fail']
  return Object.fromEntries(
    order.flatMap((verdict) => actual(verdict).map(({ subject }) => [subject, verdict])),
  )
}

/** `found`: what `against` has to be. */
export function copyResult(
  name: string,
  record: RunRecord,
  expected: Readonly<Record<string, string>> = {},
): CopyResult {
  const red = record.findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  const actual = worstVerdicts(record)
  const differs = Object.keys({ ...actual, ...expected }).filter(
    (clause) => actual[clause] !== expected[clause],
  )
  const fails = Object.values(expected).includes('fail')
  return {
    name,
    red: red.map(({ check }) => check),
    problems: [
      ...differs.map(
        (clause) => `${clause}: expected ${expected[clause] ?? 'pass'}, got ${actual[clause] ?? 'pass'}`,
      ),
      ...((record.conformance === 'nonconformant') === fails ? [] : [`the run is ${record.conformance}`]),
    ],
  }
}
