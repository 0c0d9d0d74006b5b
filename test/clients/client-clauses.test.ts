/** Every clause of the client library is named by a test of it. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { libraryChatClauses } from '../../spec/clauses/clients/library-chat.ts'
import { libraryOperationsClauses } from '../../spec/clauses/clients/library-operations.ts'
import { libraryStreamClauses } from '../../spec/clauses/clients/library-stream.ts'
import { versioningClauses } from '../../spec/clauses/chat/versioning.ts'
import type { Clause } from '../../spec/index.ts'

const rows = Object.entries<Clause>({
  ...libraryChatClauses,
  ...libraryOperationsClauses,
  ...libraryStreamClauses,
  ...versioningClauses,
})
const clauses = rows.filter(([, { actor }]) => actor === 'library').map(([id]) => id)

const root = join(import.meta.dirname, '../..')
const files = globSync(['client/{*,!(command-line)/*}.test.ts', 'test/clients/client-library.test.ts'], {
  cwd: root,
})

/** Ids at the beginning of a title: of a test, or of a row of its table. */
const titled = /['`]((?:(?:LIB|VER)-[A-Z-]+(?:, |: ))+)/g

const named = new Set(
  files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(titled)].flatMap(
      ([, ids = '']) => ids.match(/[A-Z-]+/g) ?? [],
    ),
  ),
)

test.for(clauses)('%s is named by a test of the library', (id) => {
  expect([...named]).toContain(id)
})

test('whatever a test names is a clause of the library', () => {
  expect([...named].filter((id) => !clauses.includes(id))).toEqual([])
})
