/** One PostgreSQL: a few connections to it, and what went wrong with it in words without secrets. */
import type * as pg from 'pg'
import type { Answer, Pool, Session } from 'pg'
import { createPlaces } from './places.ts'
import type { Prepared } from './postgres-statements.ts'
import { StoreRefused } from './refused.ts'
import { StoreAway } from './store.ts'

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
  const host = decodeURIComponent(read.hostname) || read.searchParams.get('host') || 'localhost'
  const name = `PostgreSQL at ${host}:${read.port || '5432'}${decodeURIComponent(read.pathname)}`
  return { name, url: given === null ? url : read.href, schema }
}

/** In ms. */
export interface Patience {
  /** For a connection. */
  readonly connect: number
  /** For a look at a few rows. */
  readonly look: number
  /** For a commit, and for whatever reads or deletes a lot. The server gives up a little earlier. */
  readonly work: number
}

/** Connections, and how many of them may read all of a tenant: a lease is renewed on another. */
const most = { connections: 6, readers: 3 } as const

export const patience: Patience = { connect: 2_000, look: 5_000, work: 35_000 }

export class PostgresDatabase {
  readonly name: string
  readonly #pool: Pool
  readonly #patience: Patience
  readonly #readers = createPlaces(most.readers)

  private constructor(name: string, pool: Pool, patience: Patience) {
    this.name = name
    this.#pool = pool
    this.#patience = patience
    // Of a connection that nobody uses now: whoever takes the next one hears of it.
    pool.on('error', () => undefined)
  }

  /** Connects to nothing yet. Throws StoreRefused without `pg`. */
  static async at({ name, url }: PostgresAddress, patience: Patience): Promise<PostgresDatabase> {
    const { Pool } = await driver()
    const pool = new Pool({
      connectionString: url,
      max: most.connections,
      application_name: 'touchstone',
      connectionTimeoutMillis: patience.connect,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      statement_timeout: Math.floor(patience.work * 0.85),
      query_timeout: patience.work,
    })
    return new PostgresDatabase(name, pool, patience)
  }

  /** Gives up soon. */
  async look(prepared: Prepared, values: readonly unknown[]): Promise<Answer['rows']> {
    const query = { ...prepared, values, query_timeout: this.#patience.look }
    const { rows } = await this.#asked(() => this.#pool.query(query))
    return rows
  }

  async work(prepared: Prepared, values: readonly unknown[]): Promise<Answer['rows']> {
    const { rows } = await this.#asked(() => this.#pool.query({ ...prepared, values }))
    return rows
  }

  /** One after the other in one transaction. */
  async transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#session(async (session) => {
      await session.query('begin')
      const result = await work(session)
      await session.query('commit')
      return result
    })
  }

  /** A lot of rows, as many of them at once as memory may hold well. */
  async *rows(
    { text }: Prepared,
    values: readonly unknown[],
    atOnce: number,
  ): AsyncGenerator<Answer['rows'][number]> {
    const leave = await this.#readers.take()
    const session = await this.#connected().catch((error: unknown) => {
      leave()
      throw error
    })
    let failure: Error | undefined = new Error('given up')
    try {
      await session.query('begin read only')
      await session.query({ text: `declare these no scroll cursor for ${text}`, values })
      for (;;) {
        const { rows } = await session.query(`fetch ${atOnce} from these`)
        if (rows.length === 0) break
        yield* rows
      }
      await session.query('commit')
      failure = undefined
    } catch (error) {
      throw this.told(error)
    } finally {
      session.release(failure)
      leave()
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  async #session<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.#connected()
    let failure: Error | undefined
    try {
      return await work(session)
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error))
      throw this.told(error)
    } finally {
      // A connection in the middle of something is of no use to others.
      session.release(failure)
    }
  }

  #connected(): Promise<Session> {
    return this.#asked(() => this.#pool.connect())
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      throw this.told(error)
    }
  }

  /** What may be over in a while is told apart from what stays wrong. */
  told(error: unknown): unknown {
    if (!(error instanceof Error) || error instanceof StoreRefused || error instanceof TypeError) return error
    const state = stateOf(error)
    if (state !== undefined && !passing.test(state)) return error
    return new StoreAway(`${this.name} cannot be used: ${wordsOf(error)}.`, { cause: error })
  }
}

/** SQLSTATEs of a server that cannot now: connections, resources, a stop or a standby, the system, a deadlock, a delay. */
const passing = /^(08|53|57|58|40|25006|55P03|28)/

export function stateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return /^[0-9A-Z]{5}$/.test(error.code) && 'severity' in error ? error.code : undefined
}

/** Of several addresses that were tried, the first says enough. */
function wordsOf(error: Error): string {
  const one: unknown = error instanceof AggregateError ? error.errors[0] : error
  return (one instanceof Error ? one.message : String(one)).replace(/\.$/, '')
}

async function driver(): Promise<Pick<typeof pg, 'Pool'>> {
  try {
    return await import('pg')
  } catch (error) {
    throw new StoreRefused(
      'A store in PostgreSQL needs the package pg, which is not installed: npm install pg',
      {
        cause: error,
      },
    )
  }
}
