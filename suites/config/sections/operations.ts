/** What a target file says of operations in one place against another. */
import { at, type Json } from '../../wire/exchange.ts'
import { complain, type Reading } from '../file/reading.ts'
import { suggestion } from '../file/nearest.ts'
import type { YamlPath } from '../file/source-map.ts'
import type { OperationFixture, Target } from '../target.ts'

export function operations({ fixtures, dialect }: Target, _: unknown, reading: Reading): void {
  const named = Object.fromEntries(fixtures.operations.map((operation) => [operation.name, operation]))
  for (const operation of fixtures.operations) {
    const path = ['fixtures', 'operations', operation.name] as const
    freshIn(operation, [...path, 'fresh'], reading)
    isRead(operation.effect?.operation, named, [...path, 'effect', 'operation'], reading)
    if (operation.doneWithinSeconds !== undefined && operation.receipt !== 'accepted')
      complain(
        [...path, 'doneWithinSeconds'],
        `belongs to an operation whose receipt is accepted, and this one is ${operation.receipt}; take it out`,
        reading,
      )
    if (operation.effect && !operation.write)
      complain([...path, 'effect'], 'belongs to a write; add `write: true`, or take it out', reading)
  }
  for (const [listing, name] of Object.entries(dialect.routes ?? {}))
    isRead(name, named, ['dialect', 'routes', listing], reading)
  for (const [kind, upload] of Object.entries(dialect.uploads ?? {}))
    isRead(upload.effect?.operation, named, ['dialect', 'uploads', kind, 'effect', 'operation'], reading)
}

/** What is looked at to see what another did must not change anything itself. */
function isRead(
  name: string | undefined,
  named: Readonly<Record<string, OperationFixture>>,
  path: YamlPath,
  reading: Reading,
): void {
  if (name === undefined || name.startsWith('/')) return
  const operation = Object.hasOwn(named, name) ? named[name] : undefined
  if (!operation)
    complain(
      path,
      `is "${name}", which is not under fixtures.operations; ${suggestion(name, Object.keys(named))}`,
      reading,
    )
  else if (operation.write || operation.receipt !== 'completed')
    complain(path, `is "${name}", which is no read that completes; name one that is`, reading)
}

function freshIn({ input, fresh = [] }: OperationFixture, path: YamlPath, reading: Reading): void {
  fresh.forEach((pointer, i) => {
    if (at(input as Json, pointer) === undefined)
      complain([...path, i], `is ${pointer}, where the input has nothing; point at what is there`, reading)
  })
}
