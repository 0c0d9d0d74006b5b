/** What the verdicts of a run depend on besides its journal: `judging.json`. Only judges look into it. */
import type { Identifiers } from '../spec/identifiers.ts'

export interface Basis {
  dialect: object
  policy: object
  identifiers?: Identifiers
}

/** Only that, of an object that may have more members. */
export function plainBasis({ dialect, policy, identifiers }: Basis): Basis {
  return { dialect, policy, ...(identifiers === undefined ? {} : { identifiers }) }
}
