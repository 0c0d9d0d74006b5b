/** The local check of an operation id. It passes nobody off as permitted: the service decides that. */
import { InvalidCall } from '../errors.ts'
import type { Catalogue } from './catalogue.ts'

/** Throws `InvalidCall` for an operation that the package was not built with. */
export function checkKnown(catalogue: Catalogue, operationId: string): void {
  if (Object.hasOwn(catalogue.operations, operationId)) return
  throw new InvalidCall(
    `The operation ${JSON.stringify(operationId)} is not in the catalogue of this client, of the contract ${catalogue.contract}.`,
    'Upgrade the package, or hand a newer `catalogue` to the client.',
  )
}
