import { areaOf, clauses, type ClauseId } from '../../spec/index.ts'
import type { Finding } from '../record.ts'

/** A passed check; `over` replaces what matters to a test. */
export function findingOf(over: Partial<Finding> = {}): Finding {
  const { scenario = 'a/b', subject = 'RES-JSON' } = over
  const clause = subject as ClauseId
  return {
    check: `${scenario}/${subject}`,
    subject,
    area: areaOf[clause],
    level: over.level ?? clauses[clause].level,
    basis: 'stated',
    scenario,
    title: '',
    verdict: 'pass',
    evidence: [1],
    states: [],
    ...over,
  }
}
