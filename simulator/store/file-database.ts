/** Opens the file of a store: for this process alone, of a version that we know. */
import { closeSync, openSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type * as builtin from 'node:sqlite'
import type { DatabaseSync } from 'node:sqlite'
import { damagedFile, openingError } from './file-errors.ts'
import { applicationId, fileVersions, leases } from './file-schema.ts'
import { StoreRefused } from './refused.ts'
import { checksumOf, tenantChecksumOf, type DocumentRow } from './rows.ts'
import type { TenantRow } from './store.ts'

const headerLength = 100

/** Of its log, once its content went to the file itself. */
const mostOfLog = 16 * 1024 * 1024

/** Throws StoreRefused. `now`: milliseconds since 1970. */
export function openDatabase(path: string, now: number): DatabaseSync {
  mustBeWhole(path)
  create(path)
  const { DatabaseSync } = sqlite()
  // A path of its own, whatever its name means to SQLite.
  const database = new DatabaseSync(resolve(path), { open: false, enableForeignKeyConstraints: true })
  try {
    database.open()
    prepare(database, path, now)
    return database
  } catch (error) {
    if (database.isOpen) database.close()
    throw openingError(error, path)
  }
}

/** SQLite takes what is shorter than its header for a new file, and writes over it. */
function mustBeWhole(path: string): void {
  const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
  if (size >= headerLength) return
  if (size > 0) throw damagedFile(path, 'its header is cut off')
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
  if (log && log.size > 0) throw damagedFile(path, `it is empty or gone, and ${path}-wal is not`)
}

/** What to do about a file that cannot be made. */
const creating: Readonly<Record<string, string>> = {
  EISDIR: 'see that it is a file and no folder',
  ENOENT: 'see that its folder is there',
  EACCES: 'see that this user may write it and its folder',
  EROFS: 'see that it is on a disk that may be written',
}

/** Whoever reads it has the keys of every tenant. SQLite makes the files beside it alike. */
function create(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const words = creating[code] ?? 'see that its folder is there, and that both may be written'
    throw new StoreRefused(`The file ${path} cannot be opened (${code}): ${words}.`, { cause: error })
  }
}

function prepare(database: DatabaseSync, path: string, now: number): void {
  // Before anything is read: nobody else may look at the file, and no memory is shared over it.
  database.exec('pragma locking_mode = exclusive')
  // Counts for a file without tables only; what is deleted can be given back to the disk then.
  database.exec('pragma auto_vacuum = incremental')
  database.exec('pragma journal_mode = wal; pragma synchronous = normal')
  database.exec(`pragma journal_size_limit = ${mostOfLog}; pragma temp_store = memory`)
  // The first write takes the lock for good; until then somebody else may have it.
  database.exec('begin immediate')
  migrate(database, path)
  proveRows(database, path)
  // Their owner is gone; the last use is unknown, so it is now.
  database.prepare('update tenants set owner = null, used_at = ? where owner is not null').run(now)
  database.exec('commit')
  database.exec(leases)
}

function migrate(database: DatabaseSync, path: string): void {
  const version = pragma(database, 'user_version')
  const owner = pragma(database, 'application_id')
  const isEmpty = database.prepare('select 1 from sqlite_master').get() === undefined
  if (owner !== applicationId && !isEmpty)
    throw new StoreRefused(`The file ${path} is a database of another program: give another file.`)
  if (version > fileVersions.length)
    throw new StoreRefused(
      `The file ${path} is of version ${version}, and this program knows versions up to ${fileVersions.length}: ` +
        'take a newer one.',
    )
  proveStructure(database, path)
  for (const text of fileVersions.slice(version)) database.exec(text)
  database.exec(`pragma application_id = ${applicationId}; pragma user_version = ${fileVersions.length}`)
}

/** Throws StoreRefused where pages are missing or not what they should be, or an index has other values than its table. */
function proveStructure(database: DatabaseSync, path: string): void {
  const { integrity_check: found } = database.prepare('pragma integrity_check(1)').get() ?? {}
  if (found !== 'ok') throw damagedFile(path, found)
}

/** Throws StoreRefused where a row is not what was written. */
function proveRows(database: DatabaseSync, path: string): void {
  for (const row of database.prepare('select * from tenants where checksum is not null').iterate())
    if (tenantChecksumOf(row as unknown as TenantRow) !== row['checksum'])
      throw damagedFile(path, `the row of ${String(row['id'])}`)
  const rows = database.prepare('select * from documents where checksum is not null').iterate()
  for (const row of rows) {
    const { tenant, kind, id, checksum } = row
    if (checksumOf(String(tenant), row as unknown as DocumentRow) !== checksum)
      throw damagedFile(path, `the row ${String(kind)} ${String(id)} of ${String(tenant)}`)
  }
}

function pragma(database: DatabaseSync, name: string): number {
  const row = database.prepare(`pragma ${name}`).get()
  return Number(row?.[name])
}

/** Loaded when it is needed: Node 22 warns that it is experimental, which is nothing to a user of ours. */
function sqlite(): Pick<typeof builtin, 'DatabaseSync'> {
  const emitWarning: unknown = Reflect.get(process, 'emitWarning')
  process.emitWarning = (warning: string | Error, ...rest: readonly unknown[]): void => {
    if (typeof emitWarning !== 'function' || String(warning).startsWith('SQLite is an experimental feature'))
      return
    Reflect.apply(emitWarning, process, [warning, ...rest])
  }
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    Reflect.set(process, 'emitWarning', emitWarning)
  }
}
