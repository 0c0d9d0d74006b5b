/** The clause sets of a command line. */
import type { Target } from '../../suites/config/target.ts'
import { findClauseSet } from '../../suites/policy/clause-set-file.ts'
import { UsageError } from '../usage-error.ts'

/** The first decides. Throws a UsageError for a set that is given twice, and a ConfigurationError. */
export function clauseSetsNamed(named: readonly string[]): Pick<Target, 'contract' | 'otherSets'> {
  const [contract, ...otherSets] = named.map(findClauseSet)
  const names = [contract, ...otherSets].map((set) => set?.revision)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined)
    throw new UsageError(`--clause-set: ${twice} is given twice; leave one out, or give it another name.`)
  if (contract === undefined) return {}
  return { contract, ...(otherSets.length > 0 ? { otherSets } : {}) }
}
