/** The vendor's word, and the identifiers of the contract that have it in them. */
import { IdentifierError, identifiersOf, type Identifiers } from '../../spec/identifiers.ts'
import { InvalidCall } from '../errors.ts'

/** How the service writes the identifiers of the contract that have the vendor's word in them. */
export interface VendorOptions {
  /** The word that the service has where the contract writes `service`, such as `acme`. Default: `service`. */
  readonly vendor?: string | undefined
  /** Single identifiers that do not follow from that word. */
  readonly identifiers?: Partial<Identifiers> | undefined
}

/** Throws `InvalidCall` for a word, or an identifier, that cannot be one. */
export function identifiersFor({ vendor, identifiers }: VendorOptions): Identifiers {
  try {
    return identifiersOf(vendor, identifiers)
  } catch (error) {
    if (!(error instanceof IdentifierError)) throw error
    throw new InvalidCall(error.message, error.message)
  }
}
