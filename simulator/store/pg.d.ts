/** The part of `pg` that the PostgreSQL store and its tests use. */
declare module 'pg' {
  import type { EventEmitter } from 'node:events'
  import type { Socket } from 'node:net'

  export interface Query {
    readonly text: string
    readonly values: readonly unknown[]
    /** Prepared once for each connection under this name. */
    readonly name?: string
    /** How long an answer may take, in ms. */
    readonly query_timeout?: number
  }

  export interface Answer {
    readonly rows: readonly Readonly<Record<string, unknown>>[]
  }

  export interface Session extends EventEmitter {
    query(query: Query | string): Promise<Answer>
    /** Back to the pool; with an error the connection is closed. */
    release(error?: Error): void
  }

  export interface PoolOptions {
    readonly connectionString: string
    readonly stream: () => Socket
    readonly max: number
    readonly application_name: string
    readonly connectionTimeoutMillis: number
    readonly idleTimeoutMillis: number
    readonly keepAlive: boolean
    readonly keepAliveInitialDelayMillis: number
    readonly statement_timeout: number
    readonly query_timeout: number
  }

  export class Client {
    constructor(options: Pick<PoolOptions, 'connectionString'>)
    connect(): Promise<void>
    query(query: Query | string): Promise<Answer>
    end(): Promise<void>
  }

  export class Pool extends EventEmitter {
    constructor(options: PoolOptions)
    query(query: Query | string): Promise<Answer>
    connect(): Promise<Session>
    end(): Promise<void>
  }
}
