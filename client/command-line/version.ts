/** What this is: the version of the package, and the contract. */
import manifest from '../../package.json' with { type: 'json' }
import { embeddedCatalogue } from '../catalogue/operations.ts'

export function versionWords(): string {
  const { contract, operations } = embeddedCatalogue
  return `${manifest.version}, contract ${contract} with ${Object.keys(operations).length} operations`
}
