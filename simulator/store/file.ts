/** A file of documents, for one process at a time: SQLite, built into Node. Its lock goes with the process. */
import { closeSync, openSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type * as builtin from 'node:sqlite'
import type { DatabaseSync } from 'node:sqlite'

export interface StoredDocument {
  readonly tenant: string
  readonly kind: string
  readonly id: string
  /** JSON. */
  readonly body: string
}

/** `body: null`: it is removed. */
export type DocumentChange = Omit<StoredDocument, 'body'> & { readonly body: string | null }

export interface DocumentFile {
  /** Of all tenants, in the order in which they were first put. */
  ofKind(kind: string): readonly StoredDocument[]
  ofTenant(tenant: string): readonly StoredDocument[]
  /** Writes all of it or nothing. Throws while the file cannot be written. */
  commit(changes: readonly DocumentChange[]): void
  removeTenant(tenant: string): void
  /** What `work` makes of documents; where it throws, the file is closed and refused: SQLite looks after pages, not rows. */
  reading<T>(work: () => T): T
  close(): void
}

/** Throws a RangeError that says what to do. */
export function openDocumentFile(path: string): DocumentFile {
  const database = open(path)
  const select = 'select tenant, kind, id, body from documents where'
  const ofKind = database.prepare(`${select} kind = ? order by rowid`)
  const ofTenant = database.prepare(`${select} tenant = ?`)
  const put = database.prepare(`insert into documents (tenant, kind, id, body) values (?, ?, ?, ?)
    on conflict (tenant, kind, id) do update set body = excluded.body`)
  const remove = database.prepare('delete from documents where tenant = ? and kind = ? and id = ?')
  const removeTenant = database.prepare('delete from documents where tenant = ?')
  // An id may be anything, and a text of SQLite may not: U+0000, half a surrogate pair.
  const documentIn = (row: object): StoredDocument => {
    const document = row as StoredDocument
    return { ...document, id: JSON.parse(document.id) as string }
  }
  return {
    ofKind: (kind) => ofKind.all(kind).map(documentIn),
    ofTenant: (tenant) => ofTenant.all(tenant).map(documentIn),
    commit: (changes) => {
      if (changes.length === 0) return
      try {
        database.exec('begin immediate')
        for (const { tenant, kind, id, body } of changes)
          if (body === null) remove.run(tenant, kind, JSON.stringify(id))
          else put.run(tenant, kind, JSON.stringify(id), body)
        database.exec('commit')
      } catch (error) {
        if (database.isTransaction) database.exec('rollback')
        throw error
      }
    },
    removeTenant: (tenant) => void removeTenant.run(tenant),
    reading: (work) => {
      try {
        return work()
      } catch (error) {
        database.close()
        throw new RangeError(`The file ${path} ${advice['damaged']}.`, { cause: error })
      }
    },
    close: () => void (database.isOpen && database.close()),
  }
}

function open(path: string): DatabaseSync {
  const { DatabaseSync } = sqlite()
  // A path of its own, whatever its name means to SQLite.
  const database = new DatabaseSync(resolve(path), { open: false })
  try {
    // After a kill everything may still be in the log, which SQLite deletes where the file itself is gone.
    if (sizeOf(path) === 0 && sizeOf(`${path}-wal`) > 0) refuse('log')
    // Whoever reads it has the keys of every tenant. SQLite makes the files beside it alike.
    closeSync(openSync(path, 'a', 0o600))
    const size = sizeOf(path)
    // SQLite takes what is shorter than its header for a new file, and writes over it.
    if (size > 0 && size < headerLength) refuse('damaged')
    database.open()
    prepare(database)
    return database
  } catch (error) {
    if (database.isOpen) database.close()
    throw new RangeError(`The file ${path} ${wordsOf(error)}.`, { cause: error })
  }
}

/** 0 where there is none. */
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const headerLength = 100
/** Marks a database as ours, so that no other is taken for one: the letters Tstn. */
const applicationId = 0x5473746e
const version = 3

function prepare(database: DatabaseSync): void {
  // Before anything is read: nobody else may look at the file, and no memory is shared over it.
  database.exec('pragma locking_mode = exclusive; pragma synchronous = normal')
  // The first write takes the lock for good; until then somebody else may have it.
  database.exec('begin immediate')
  const valueOf = (pragma: string): unknown => database.prepare(`pragma ${pragma}`).get()?.[pragma]
  if (database.prepare('select 1 from sqlite_master').get() !== undefined) {
    if (valueOf('application_id') !== applicationId) refuse('other')
    if (valueOf('user_version') !== version) refuse('version')
    if (valueOf('integrity_check') !== 'ok') refuse('damaged')
  }
  database.exec(`create table if not exists documents (
    tenant text not null, kind text not null, id text not null, body text not null,
    primary key (tenant, kind, id)) strict`)
  database.exec(`pragma application_id = ${applicationId}; pragma user_version = ${version}; commit`)
  // It stays in the file, so it is set only in one that is ours.
  database.exec('pragma journal_mode = wal')
}

/** What to do, by our own word, by the code of the system, or by the primary one of SQLite. */
const advice: Readonly<Record<string, string>> = {
  damaged: 'is damaged: put back a copy, or give another file',
  log: 'is empty or gone, and its log beside it (-wal) is not: put back the file, or give another one',
  other: 'is a database of another program: give another file',
  version: 'is of another version of this program: give another file',
  EISDIR: 'is a folder: give a file',
  ENOENT: 'cannot be created: create its folder first',
  5: 'is in use by another process: end that one, or give another file',
  11: 'is damaged: put back a copy, or give another file',
  26: 'is no store: give another file',
}

function refuse(code: string): never {
  throw Object.assign(new Error(code), { code })
}

function wordsOf(error: unknown): string {
  const { code = '', errcode, message } = Object(error) as Error & { code?: string; errcode?: number }
  // Extended codes have the primary one in their lowest byte.
  const known = advice[errcode === undefined ? code : errcode & 0xff]
  return known ?? `cannot be opened (${message}): see that it and its folder may be written`
}

/** Loaded when it is needed: Node 22 warns that it is experimental, which is nothing to a user of ours. */
function sqlite(): Pick<typeof builtin, 'DatabaseSync'> {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = () => undefined
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}
