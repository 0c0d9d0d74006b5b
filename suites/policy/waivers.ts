/** Which entries of a policy can accept a finding, and why none can. Pure. */
import type { Finding } from '../../reports/bundle/record.ts'
import { inexcusable } from './expected.ts'
import type { Policy } from './policy.ts'

export type WaiverList = keyof Policy

export interface WaiverChoice {
  lists: readonly WaiverList[]
  /** Why there is none. */
  refusal: string | null
}

const refused = (refusal: string): WaiverChoice => ({ lists: [], refusal })
const some = (...lists: readonly WaiverList[]): WaiverChoice => ({ lists, refusal: null })

export function waiversFor(finding: Finding): WaiverChoice {
  const { verdict, provisional, waived, reason, level, fingerprint } = finding
  if (provisional) return refused('Its clause is provisional, so it has no effect on the gate.')
  if (waived) return refused(`It is waived already, by ${waived.owner} until ${waived.expires}.`)
  if (verdict === 'error') return refused('A policy cannot accept an error of the suite: please report it.')
  if (inexcusable.includes(reason))
    return refused(`A policy cannot accept ${reason}: correct what caused it, and run the check again.`)
  if (verdict === 'fail') return fingerprint === undefined ? some('flaky') : some('knownFailures', 'flaky')
  if (level !== 'must') return refused('It does not fail the gate, so there is nothing to waive.')
  if (verdict === 'inconclusive') return some('flaky', 'expectedNotExercised')
  if (verdict === 'not-exercised') return some('expectedNotExercised')
  return refused('It does not fail the gate, so there is nothing to waive.')
}
