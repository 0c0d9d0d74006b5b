/** A store in PostgreSQL, for any number of replicas on any number of hosts. */
import { readAddress } from './postgres-address.ts'
import { PostgresDatabase, timeouts, type PostgresTimeouts } from './postgres-database.ts'
import { refusedByPostgres, sqlStateOf } from './postgres-errors.ts'
import { upToDate } from './postgres-migration.ts'
import { postgresStatements, type PostgresStatement, type PostgresStatements } from './postgres-statements.ts'
import { fromRow, fromText, rowKeyOf, toRow, toText, type DocumentRow } from './rows.ts'
import type { Claim, Claimed, Commit, Document, Pruned, Renewed, Replica, Store, TenantRow } from './store.ts'

type Place = Pick<Claim, 'id' | 'epoch'>
type Row = Readonly<Record<string, unknown>>

/** Throws StoreRefused, StoreAway where the server cannot be reached, and a RangeError on a URL that is none. */
export async function openPostgresStore(url: string, waits: PostgresTimeouts = timeouts): Promise<Store> {
  const address = readAddress(url)
  const schema = `"${address.schema}"`
  const database = await PostgresDatabase.at(address, waits)
  const statements = postgresStatements(schema)
  try {
    await upToDate(database, schema, statements.version)
    const [row] = await database.look(statements.run, [])
    return new PostgresStore(database, statements, Number(row?.['run']))
  } catch (error) {
    await database.close()
    throw sqlStateOf(error) === undefined ? error : refusedByPostgres(error, database.name)
  }
}

const uniqueViolation = '23505'
const most = { documentsAtOnce: 500, tenantsDeletedAtOnce: 20 } as const

class PostgresStore implements Store {
  readonly name: string
  readonly shared = true
  readonly #database: PostgresDatabase
  readonly #statements: PostgresStatements
  /** No other opening of this store has the same. */
  readonly #run: number
  #step = 0

  constructor(database: PostgresDatabase, statements: PostgresStatements, run: number) {
    this.name = database.name
    this.#database = database
    this.#statements = statements
    this.#run = run
  }

  async renew({ id, address }: Replica, leaseMs: number): Promise<Renewed> {
    const [row] = await this.#look('renew', id, address, leaseMs)
    return row ? 'held' : 'new'
  }

  async leave(replica: string): Promise<void> {
    await this.#look('leave', replica)
  }

  async found({ id, seed, options }: TenantRow, tokens: readonly string[], owner: string): Promise<boolean> {
    try {
      await this.#look('found', id, toText(seed), options, owner, tokens)
      return true
    } catch (error) {
      if (sqlStateOf(error) === uniqueViolation) return false
      throw error
    }
  }

  async tenantOf(digest: string): Promise<string | null> {
    const [row] = await this.#look('tenantOf', digest)
    return row ? (row['tenant'] as string) : null
  }

  async tenants(): Promise<readonly string[]> {
    const rows = await this.#work('tenants')
    return rows.map(({ id }) => id as string)
  }

  async claim(tenant: string, owner: string): Promise<Claimed> {
    // Whoever asks may have made the id up; those that there are stand as they are.
    const id = toText(tenant)
    for (;;) {
      const [row] = await this.#look('claim', id, owner)
      if (!row) return { is: 'missing' }
      if (row['holder'] !== null) return { is: 'held', address: row['address'] as string }
      if (row['id'] !== null) return { is: 'claimed', claim: claimOf(row) }
      // Somebody else took it at the same moment: who that is shows now.
    }
  }

  async claimDue(owner: string, most: number, owned: readonly string[]): Promise<readonly Claim[]> {
    const rows = await this.#look('claimDue', owner, most, owned)
    return rows.map(claimOf)
  }

  async *documents(tenant: string): AsyncGenerator<Document> {
    const rows = this.#database.rows(this.#statements.documents, [tenant], most.documentsAtOnce)
    for await (const row of rows) yield fromRow(row as unknown as DocumentRow)
  }

  async commit(owner: string, commits: readonly Commit[]): Promise<readonly string[]> {
    this.#step += 1
    const writer = [owner, this.#run, this.#step]
    const [one, ...others] = commits
    const rows =
      one && others.length + one.removed.length === 0
        ? await this.#work('commitOne', ...writer, ...columnsOfOne(one))
        : await this.#work('commit', ...writer, ...columnsOf(commits))
    const written = new Set(rows.map(({ id }) => id))
    return commits.map(({ tenant }) => tenant).filter((tenant) => !written.has(tenant))
  }

  async release(owner: string, { id, epoch }: Place, dueInMs: number | null): Promise<void> {
    await this.#look('release', owner, id, epoch, dueInMs)
  }

  async remove(owner: string, { id, epoch }: Place): Promise<void> {
    await this.#work('remove', owner, id, epoch)
  }

  async prune(idleMs: number): Promise<Pruned> {
    let tenants = 0
    for (;;) {
      const gone = await this.#work('prune', idleMs, most.tenantsDeletedAtOnce)
      tenants += gone.length
      if (gone.length === 0) break
    }
    await this.#work('forget')
    return { tenants }
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  #look(name: PostgresStatement, ...values: readonly unknown[]): Promise<readonly Row[]> {
    return this.#database.look(this.#statements[name], values)
  }

  #work(name: PostgresStatement, ...values: readonly unknown[]): Promise<readonly Row[]> {
    return this.#database.work(this.#statements[name], values)
  }
}

function claimOf({ id, seed, options, epoch }: Row): Claim {
  return {
    id: id as string,
    seed: fromText(seed as string),
    options: options as string,
    epoch: epoch as number,
  }
}

/** The tenant, and one array for each column of what is put. */
function columnsOfOne({ tenant, epoch, dueInMs, put }: Commit): readonly unknown[] {
  const rows = put.map(toRow)
  const columns = (['kind', 'id', 'place', 'body'] as const).map((name) => rows.map((row) => row[name]))
  return [tenant, epoch, dueInMs, ...columns]
}

/** One array for each column, of tenants, of what is put and of what is removed. */
function columnsOf(commits: readonly Commit[]): readonly (readonly unknown[])[] {
  const put = commits.flatMap(({ tenant, put }) => put.map((document) => ({ tenant, ...toRow(document) })))
  const removed = commits.flatMap(({ tenant, removed }) =>
    removed.map(({ kind, id }) => ({ tenant, kind, id: rowKeyOf(id) })),
  )
  return [
    ...(['tenant', 'epoch', 'dueInMs'] as const).map((name) => commits.map((commit) => commit[name])),
    ...(['tenant', 'kind', 'id', 'place', 'body'] as const).map((name) => put.map((row) => row[name])),
    ...(['tenant', 'kind', 'id'] as const).map((name) => removed.map((row) => row[name])),
  ]
}
