/** Brings the tables in PostgreSQL to the version that this program knows; of several that start at once, one does. */
import type { Session } from 'pg'
import type { PostgresDatabase } from './postgres-database.ts'
import { postgresVersions } from './postgres-schema.ts'
import { inSchema, type PreparedStatement } from './postgres-statements.ts'
import { StoreRefused } from './refused.ts'

/** Throws StoreRefused, and StoreAway. `schema`: its name, quoted. `look`: the statement that reads what is there. */
export async function upToDate(
  database: PostgresDatabase,
  schema: string,
  look: PreparedStatement,
): Promise<void> {
  const texts = postgresVersions.map((text) => inSchema(text, schema))
  const [found] = await database.look(look, [])
  if (found?.['encoding'] !== 'UTF8')
    throw new StoreRefused(
      `${database.name} has texts in ${String(found?.['encoding'])}, which cannot hold all of them: ` +
        `create the database with encoding 'UTF8'.`,
    )
  // Most starts find everything in place, and need no right to create anything.
  if (found['known'] === true && (await versionIn(database, schema, texts.length)) === texts.length) return
  await database.transaction((session) => migrate(session, database.name, schema, texts))
}

async function versionIn(database: PostgresDatabase, schema: string, known: number): Promise<number> {
  const statement = { name: 'number', text: `select number from ${schema}.version` }
  const [row] = await database.look(statement, [])
  return checked(Number(row?.['number'] ?? 0), database.name, known)
}

async function migrate(
  session: Session,
  name: string,
  schema: string,
  texts: readonly string[],
): Promise<void> {
  await session.query({
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [`touchstone ${schema}`],
  })
  await session.query(`create schema if not exists ${schema}`)
  await session.query(`create table if not exists ${schema}.version (number integer not null)`)
  const { rows } = await session.query(`select number from ${schema}.version`)
  const version = checked(Number(rows[0]?.['number'] ?? 0), name, texts.length)
  for (const text of texts.slice(version)) await session.query(text)
  await session.query(`delete from ${schema}.version`)
  await session.query({ text: `insert into ${schema}.version values ($1)`, values: [texts.length] })
}

function checked(version: number, name: string, known: number): number {
  if (version <= known) return version
  throw new StoreRefused(
    `${name} is of version ${version}, and this program knows versions up to ${known}: take a newer one.`,
  )
}
