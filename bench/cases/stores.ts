/** Commits of one tenant to each store, compared with writing the same rows with a plain database client. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { openStore } from '../../simulator/store/open.ts'
import type { Document, Store } from '../../simulator/store/store.ts'
import { programs } from '../../test/postgres/programs.ts'
import { startPostgres } from '../../test/postgres/server.ts'
import { rowOf, type BenchRow } from '../figures.ts'
import { interleave, type Effort, type BenchSide } from '../measure.ts'
import { withAutoStop, type Started } from '../processes/auto-stop.ts'

const sizes = [1, 10, 100] as const
/** About the size of a key or a delivery. */
const body = JSON.stringify({ text: 'x'.repeat(300) })
/** Few enough that most commits update existing rows. */
const ids = 10_000

type Write = (documents: readonly Document[]) => Promise<unknown>

interface Pair extends Started {
  readonly id: string
  readonly name: string
  readonly ours: Write
  readonly theirs: { readonly name: string; readonly write: Write }
}

export function stores({ rounds, loadMs }: Effort): Promise<readonly BenchRow[]> {
  return withAutoStop(async (autoStop) => {
    const pairs = [await autoStop(filePair())]
    if (programs) {
      const { url } = await autoStop(startPostgres({ fsync: true }))
      pairs.push(await autoStop(postgresPair(url)))
    }
    const rows: BenchRow[] = []
    for (const pair of pairs)
      for (const size of sizes) rows.push(await rowFor(pair, size, rounds, loadMs / 4))
    return rows
  })
}

async function rowFor(
  { id, name, ours, theirs }: Pair,
  size: number,
  rounds: number,
  ms: number,
): Promise<BenchRow> {
  const side = (name: string, write: Write): BenchSide => ({ name, once: () => rate(write, size, ms) })
  const [one, other] = await interleave([side('simulator', ours), side(theirs.name, theirs.write)], rounds)
  const what = `commits of ${size === 1 ? 'a document' : `${size} documents`} in ${name}`
  return rowOf({ id: `stores/${id}-${size}`, what, unit: 'commits/s', better: 'higher' }, one, other)
}

/** Sequential, as in a replica. */
async function rate(write: Write, size: number, ms: number): Promise<number> {
  const began = performance.now()
  let [written, place] = [0, 0]
  while (performance.now() - began < ms) {
    const documents = Array.from({ length: size }, () => {
      place += 1
      return { kind: 'key', id: `key-${place % ids}`, place, body }
    })
    await write(documents)
    written += 1
  }
  return (written / (performance.now() - began)) * 1_000
}

async function committing(store: Store): Promise<Write> {
  const commit = { tenant: 'bench', epoch: 1, removed: [], dueInMs: null }
  await store.renew({ id: 'bench', address: '' }, 3_600_000)
  await store.found({ id: 'bench', seed: '', options: '{}' }, [], 'bench')
  return (put) => store.commit('bench', [{ ...commit, put }])
}

async function filePair(): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-stores-'))
  const store = await openStore(`file:${join(folder, 'store.db')}`)
  const bare = new DatabaseSync(join(folder, 'bare.db'))
  bare.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = normal')
  bare.exec('create table rows (id text primary key, place real, body text)')
  const put = bare.prepare(
    'insert into rows values (?, ?, ?) on conflict (id) do update set place = excluded.place, body = excluded.body',
  )
  const write: Write = async (documents) => {
    bare.exec('begin')
    for (const { id, place, body } of documents) put.run(id, place, body)
    bare.exec('commit')
  }
  const stop = async (): Promise<void> => {
    await store.close()
    bare.close()
    rmSync(folder, { recursive: true })
  }
  return {
    id: 'file',
    name: 'a file',
    ours: await committing(store),
    theirs: { name: 'bare node:sqlite', write },
    stop,
  }
}

async function postgresPair(url: string): Promise<Pair> {
  const store = await openStore(url)
  const bare = new Client({ connectionString: url })
  await bare.connect()
  await bare.query('create table rows (id text primary key, place float8, body text)')
  const text = `insert into rows select * from unnest($1::text[], $2::float8[], $3::text[])
    on conflict (id) do update set place = excluded.place, body = excluded.body`
  const write: Write = (documents) => {
    const columns = (['id', 'place', 'body'] as const).map((name) => documents.map((one) => one[name]))
    return bare.query({ name: 'put', text, values: columns })
  }
  const stop = async (): Promise<void> => {
    await Promise.all([store.close(), bare.end()])
  }
  return {
    id: 'postgres',
    name: 'PostgreSQL',
    ours: await committing(store),
    theirs: { name: 'bare pg', write },
    stop,
  }
}
