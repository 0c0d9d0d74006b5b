/** A PostgreSQL server that reports its processor time, writes and contents. */
import { readFileSync, readdirSync } from 'node:fs'
import { Client } from 'pg'
import { startPostgres } from '../../../test/postgres/server.ts'
import type { Started } from '../../../bench/processes/auto-stop.ts'

export interface Written {
  /** Processor time of all processes of the server since its start, in microseconds. */
  processor: number
  /** Bytes of WAL since its start. */
  wal: number
  /** Commits of replicas. */
  commits: number
}

/** The documents of one kind. */
export interface Rows {
  readonly kind: string
  readonly rows: number
  /** Average bytes of one, without the index. */
  readonly bytes: number
}

export interface Bulk {
  /** Bytes of all tables and indexes. */
  readonly size: number
  /** Bytes of the documents alone, without and with their index. */
  readonly documents: number
  readonly index: number
  readonly rows: number
  readonly dead: number
  readonly vacuums: number
  /** Share of updates that changed no index. */
  readonly hot: number
}

export interface Database extends Started {
  readonly url: string
  written(): Promise<Written>
  kinds(): Promise<readonly Rows[]>
  bulk(): Promise<Bulk>
  /** The single number that a query returns. */
  number(text: string): Promise<number>
}

const ticksPerSecond = 100

interface Process {
  readonly parent: number
  /** User and system time in µs, including ended children. */
  readonly processor: number
}

/** Undefined if it has ended, in which case its parent includes its time. */
function processAt(pid: string | number): Process | undefined {
  try {
    // The program name before it is in parentheses and may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { parent: Number(fields[1]), processor: (ticks * 1e6) / ticksPerSecond }
  } catch {
    return undefined
  }
}

function processorOf(server: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(processAt)
    .filter((process) => process?.parent === server)
  return [processAt(server), ...children].reduce((sum, process) => sum + (process?.processor ?? 0), 0)
}

/** Starts PostgreSQL with fsync, as in production. */
export async function startDatabase(): Promise<Database> {
  const server = await startPostgres({ fsync: true })
  const client = new Client({ connectionString: server.url })
  await client.connect()
  const row = async (text: string): Promise<Readonly<Record<string, unknown>>> =>
    (await client.query(text)).rows[0] ?? {}
  const number = async (text: string): Promise<number> => Number(Object.values(await row(text))[0] ?? 0)
  const backend = await number('select pg_backend_pid()')
  const postmaster = processAt(backend)?.parent ?? 0
  const replicas = `to_regclass('touchstone.replicas')`
  return {
    url: server.url,
    number,
    written: async () => {
      const wal = await number(`select pg_current_wal_insert_lsn() - '0/0'`)
      const known = (await row(`select ${replicas} is not null as known`))['known'] === true
      const commits = known ? await number('select sum(step) from touchstone.replicas') : 0
      return { processor: processorOf(postmaster), wal, commits }
    },
    kinds: async () => {
      const text = `select kind, count(*)::int as rows, avg(pg_column_size(d.*))::float8 + 4 as bytes
        from touchstone.documents d group by kind order by kind`
      return (await client.query(text)).rows as unknown as readonly Rows[]
    },
    bulk: async () => {
      await client.query('select pg_stat_clear_snapshot()')
      return (await row(`select
          (select sum(pg_total_relation_size(relid)) from pg_stat_user_tables)::float8 as size,
          pg_table_size('touchstone.documents')::float8 as documents,
          pg_indexes_size('touchstone.documents')::float8 as index,
          (select count(*) from touchstone.documents)::float8 as rows,
          sum(n_dead_tup)::float8 as dead, sum(autovacuum_count)::float8 as vacuums,
          (sum(n_tup_hot_upd) / greatest(1, sum(n_tup_upd)))::float8 as hot
        from pg_stat_user_tables`)) as unknown as Bulk
    },
    stop: async () => {
      await client.end()
      await server.stop()
    },
  }
}
