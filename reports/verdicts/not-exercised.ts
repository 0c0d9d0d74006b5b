/** What was not exercised, grouped by reason, with what its owner can provide. */
import type { Finding } from '../bundle/record.ts'
import { reasons, unnamedReason } from './reasons.ts'

export interface Group {
  says: string
  provide: string
  findings: readonly Finding[]
  /** The distinct details, each once. */
  details: readonly string[]
}

/** Groups, the largest first. */
export function groupsOf(findings: readonly Finding[]): readonly Group[] {
  const left = findings.filter(({ verdict }) => verdict === 'not-exercised')
  const groups = [...Map.groupBy(left, ({ reason }) => reason)].map(([reason, findings]) => ({
    ...(reason ? reasons[reason] : unnamedReason),
    findings,
    details: [...new Set(findings.flatMap(({ detail }) => detail ?? []))],
  }))
  return groups.toSorted((one, other) => other.findings.length - one.findings.length)
}
