/** One PostgreSQL, and a few connections to it. What cannot be asked now rejects with StoreAway. */
import type * as pg from 'pg'
import type { Answer, Pool, Session } from 'pg'
import { createPlaces } from './places.ts'
import type { PostgresAddress } from './postgres-address.ts'
import { asStoreError } from './postgres-errors.ts'
import { createSockets, type Sockets } from './postgres-sockets.ts'
import type { PreparedStatement } from './postgres-statements.ts'
import { StoreRefused } from './refused.ts'

/** In ms. */
export interface PostgresTimeouts {
  /** For a connection. */
  readonly connect: number
  /** For a look at a few rows. */
  readonly look: number
  /** For a commit, and for whatever reads or deletes a lot. The server gives up a little earlier. */
  readonly work: number
}

/** Connections, and how many of them may read all of a tenant: a lease is renewed on another. */
const most = { connections: 6, readers: 3 } as const

export const timeouts: PostgresTimeouts = { connect: 2_000, look: 5_000, work: 35_000 }

export class PostgresDatabase {
  readonly name: string
  readonly #pool: Pool
  readonly #sockets: Sockets
  readonly #timeouts: PostgresTimeouts
  readonly #readers = createPlaces(most.readers)

  private constructor(name: string, pool: Pool, sockets: Sockets, timeouts: PostgresTimeouts) {
    this.name = name
    this.#pool = pool
    this.#sockets = sockets
    this.#timeouts = timeouts
    // Whoever asks next hears of a connection that broke; one that nobody listens to would end the process.
    pool.on('error', () => undefined)
    pool.on('connect', (session: Session) => session.on('error', () => undefined))
  }

  /** Connects to nothing yet. Throws StoreRefused without `pg`. */
  static async at({ name, url }: PostgresAddress, timeouts: PostgresTimeouts): Promise<PostgresDatabase> {
    const { Pool } = await driver()
    const sockets = createSockets()
    const pool = new Pool({
      connectionString: url,
      stream: () => sockets.open(),
      max: most.connections,
      application_name: 'touchstone',
      connectionTimeoutMillis: timeouts.connect,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      statement_timeout: Math.floor(timeouts.work * 0.85),
      query_timeout: timeouts.work,
    })
    return new PostgresDatabase(name, pool, sockets, timeouts)
  }

  /** Gives up soon. */
  async look(prepared: PreparedStatement, values: readonly unknown[]): Promise<Answer['rows']> {
    const query = { ...prepared, values, query_timeout: this.#timeouts.look }
    const { rows } = await this.#asked(() => this.#pool.query(query))
    return rows
  }

  async work(prepared: PreparedStatement, values: readonly unknown[]): Promise<Answer['rows']> {
    const { rows } = await this.#asked(() => this.#pool.query({ ...prepared, values }))
    return rows
  }

  /** One after the other in one transaction. */
  async transaction(work: (session: Session) => Promise<void>): Promise<void> {
    const session = await this.#connected()
    let failure: Error | undefined
    try {
      await session.query('begin')
      await work(session)
      await session.query('commit')
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error))
      throw asStoreError(error, this.name)
    } finally {
      // A connection in the middle of something is of no use to others.
      session.release(failure)
    }
  }

  /**
   * As many rows at once as memory may hold well. Where there are no more than that, as is usual, they take one round
   * trip; a cursor takes five.
   */
  async *rows(
    { name, text }: PreparedStatement,
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
      const few = `${name} ${atOnce}`
      const { rows: first } = await session.query({ name: few, text: `${text} limit ${atOnce + 1}`, values })
      if (first.length <= atOnce) {
        failure = undefined
        yield* first
        return
      }
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
      throw asStoreError(error, this.name)
    } finally {
      session.release(failure)
      leave()
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
    this.#sockets.close()
  }

  #connected(): Promise<Session> {
    return this.#asked(() => this.#pool.connect())
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      throw asStoreError(error, this.name)
    }
  }
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
