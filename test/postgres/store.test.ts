/** The store in PostgreSQL, on a real server. */
import { afterAll, beforeAll, describe } from 'vitest'
import { openPostgresStore } from '../../simulator/store/postgres.ts'
import { storeSuite } from '../../simulator/store/store-suite.double.ts'
import { programs } from './programs.ts'
import { startPostgres, type Postgres } from './server.ts'

describe.skipIf(!programs)('a store in PostgreSQL', () => {
  let server: Postgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  let schemas = 0
  const schema = (): string => `${server.url}?schema=s${(schemas += 1)}`

  describe('does what every store does:', () => {
    storeSuite(async () => {
      const store = await openPostgresStore(schema())
      return { store, end: () => store.close() }
    })
  })
})
