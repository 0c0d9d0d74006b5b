/** What a policy and a clause set say of one finding: who owns its failure, and whether and how its clause counts. */
import type { Finding, Waiver } from '../../reports/bundle/record.ts'
import type { ClauseLevels } from '../../spec/index.ts'
import { atLevel, isProvisional } from './clause-set.ts'
import type { Day, KnownFailure, Policy, Promised } from './policy.ts'

export interface Terms {
  policy: Policy
  counted: ClauseLevels
  today: Day
}

/** The finding as these terms see it, whatever was said of it before. */
export function marked(finding: Finding, { policy, counted, today }: Terms): Finding {
  const { waived: _, provisional: __, ...unmarked } = finding
  const plain = atLevel(unmarked, counted)
  const waived = waiverOf(plain, policy, today)
  return {
    ...plain,
    ...(isProvisional(plain.subject, counted) ? { provisional: true as const } : {}),
    ...(waived ? { waived } : {}),
  }
}

function waiverOf(finding: Finding, { knownFailures, flaky }: Policy, today: Day): Waiver | null {
  const known = knownFailures.find((entry) => isKnownAs(entry, finding) && entry.expires >= today)
  if (known) return waiver('known-failure', known)
  const unsteady = flaky.find((entry) => isFlakyAs(entry, finding) && entry.expires >= today)
  return unsteady ? waiver('flaky', unsteady) : null
}

function waiver(as: Waiver['as'], { owner, reason, expires, issue }: Promised): Waiver {
  return { as, owner, reason, expires, ...(issue === undefined ? {} : { issue }) }
}

/** Whether it is this failure that is known: the same check fails in the same way. */
export function isKnownAs(entry: KnownFailure, { check, verdict, fingerprint }: Finding): boolean {
  return verdict === 'fail' && entry.check === check && entry.fingerprint === fingerprint
}

export function isFlakyAs(entry: Promised, { check, verdict }: Finding): boolean {
  return entry.check === check && (verdict === 'fail' || verdict === 'inconclusive')
}

/** Whether an entry would own the finding if it had not expired. */
export function isPromised(finding: Finding, { knownFailures, flaky }: Policy): boolean {
  return (
    knownFailures.some((entry) => isKnownAs(entry, finding)) ||
    flaky.some((entry) => isFlakyAs(entry, finding))
  )
}
