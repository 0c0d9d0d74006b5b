/** What the verdicts of a run depend on besides its journal: `judging.json`. Only judges look into it. */
import type { Identifiers } from '../spec/identifiers.ts'

export interface Basis {
  /** The dialect of the target file. */
  dialect: object
  /** The policy that decided the gate. */
  policy: object
  identifiers?: Identifiers
}

/** Only that, of an object that may have more members. */
export function plainBasis({ dialect, policy, identifiers }: Basis): Basis {
  return { dialect, policy, ...(identifiers === undefined ? {} : { identifiers }) }
}
