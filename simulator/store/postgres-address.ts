/** Where a store in PostgreSQL is, and how it is called without its secrets. */
export interface PostgresAddress {
  /** `PostgreSQL at db:5432/sim` */
  readonly name: string
  /** What `pg` takes. */
  readonly url: string
  /** Where its tables are. */
  readonly schema: string
}

const defaultSchema = 'touchstone'

/** `?schema=` is ours, all else is that of `pg`. Throws a RangeError, without the URL, for it may hold a password. */
export function readAddress(url: string): PostgresAddress {
  if (!URL.canParse(url))
    throw new RangeError('the URL of PostgreSQL cannot be read: give postgres://USER@HOST:PORT/DATABASE')
  const read = new URL(url)
  const given = read.searchParams.get('schema')
  if (given !== null) read.searchParams.delete('schema')
  const schema = given ?? defaultSchema
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw new RangeError(`the schema ${JSON.stringify(schema)} is none: give a name of a-z, 0-9 and _`)
  const host = decoded(read.hostname) || read.searchParams.get('host') || 'localhost'
  const name = `PostgreSQL at ${host}:${read.port || '5432'}${decoded(read.pathname)}`
  return { name, url: given === null ? url : read.href, schema }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
