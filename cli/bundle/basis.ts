/** What the judges were told of the target, and by which policy the gate was decided. */
import type { Target } from '../../suites/config/target.ts'

export type Basis = Pick<Target, 'dialect' | 'policy' | 'identifiers'>

/** Only that, of what may have more members. */
export function plainBasis({ dialect, policy, identifiers }: Basis): Basis {
  return { dialect, policy, ...(identifiers === undefined ? {} : { identifiers }) }
}
