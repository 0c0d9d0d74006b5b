/**
 * The catalogue that the client library and its command line are built with: the simulator's operations as the
 * default interpretations have them, and the newest set of clauses.
 */
import type { Catalogue, CatalogueOperation } from '../../client/catalogue/catalogue.ts'
import { rulesOf } from '../../simulator/base-rules.ts'
import type { Operation } from '../../simulator/operations/operation.ts'
import type { Rules } from '../../simulator/rules.ts'
import { defaultInterpretations, newestRevision } from '../../spec/index.ts'

/** An operation a line, so that a change shows as the line of its operation. */
export function operationsModule(): string {
  const { contract, operations } = catalogue()
  return [
    '// Written by `npm run generate` from the catalogue of the simulator. Do not edit.',
    "import type { Catalogue } from './catalogue.ts'",
    '',
    '/** The operations this package was built with. None of them is a permission: the server decides. */',
    'export const embeddedCatalogue: Catalogue = {',
    `  contract: '${contract}',`,
    '  operations: {',
    ...Object.entries(operations).map(([id, operation]) => `    '${id}': ${JSON.stringify(operation)},`),
    '  },',
    '}',
    '',
  ].join('\n')
}

function catalogue(): Catalogue {
  const rules = rulesOf(defaultInterpretations)
  const rows = rules.catalogue.map((operation) => [operation.id, rowOf(operation, rules)] as const)
  return { contract: newestRevision, operations: Object.fromEntries(rows) }
}

function rowOf(operation: Operation, rules: Rules): CatalogueOperation {
  const { title, scope, kind, destructive } = operation
  return {
    title,
    ...(scope !== null && { scope }),
    write: kind === 'write',
    ...(destructive && { destructive }),
    input: operation.input(rules),
  }
}
