/**
 * A store in one file, for one process at a time. The lock goes with the process, so that whoever opens the file after
 * a crash has nobody to wait for. Every step is one transaction, and nothing of SQLite waits: another step comes after.
 */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { machineNow } from '../tenant/clock/machine-time.ts'
import { openDatabase } from './file-database.ts'
import { writingError } from './file-errors.ts'
import { fileStatements, type FileStatement } from './file-statements.ts'
import { checksumOf, fromRow, fromText, rowKeyOf, tenantChecksumOf, toRow, toText } from './rows.ts'
import type { Claim, Claimed, Commit, Document, Pruned, Renewed, Replica, Store, TenantRow } from './store.ts'

type Place = Pick<Claim, 'id' | 'epoch'>
type Row = Readonly<Record<string, SQLOutputValue>>

/** Throws StoreRefused. `now`: milliseconds since 1970. */
export const openFileStore = (path: string, now: () => number = machineNow): Store => new FileStore(path, now)

class FileStore implements Store {
  readonly name: string
  readonly shared = false
  readonly #path: string
  readonly #now: () => number
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, StatementSync>()

  constructor(path: string, now: () => number) {
    this.name = `the file ${path}`
    this.#path = path
    this.#now = now
    this.#database = openDatabase(path, now())
  }

  renew({ id, address }: Replica, leaseMs: number): Promise<Renewed> {
    return this.#step(() => {
      const now = this.#now()
      const isHeld = this.#get('lease', id, now) !== undefined
      this.#run('renew', id, address, now + leaseMs)
      return isHeld ? 'held' : 'new'
    })
  }

  leave(replica: string): Promise<void> {
    return this.#step(() => void this.#run('leave', replica))
  }

  found({ id, seed, options }: TenantRow, tokens: readonly string[], owner: string): Promise<boolean> {
    return this.#step(() => {
      if (this.#get('known', id) || tokens.some((token) => this.#get('tenantOf', token))) return false
      const row = { id, seed: toText(seed), options }
      this.#run('found', id, row.seed, options, tenantChecksumOf(row), owner, this.#now())
      for (const token of tokens) this.#run('token', token, id)
      return true
    })
  }

  tenantOf(digest: string): Promise<string | null> {
    return this.#step(() => (this.#get('tenantOf', digest)?.['tenant'] as string | undefined) ?? null)
  }

  tenants(): Promise<readonly string[]> {
    return this.#step(() => this.#all('tenants').map(({ id }) => id as string))
  }

  claim(tenant: string, owner: string): Promise<Claimed> {
    return this.#step((): Claimed => {
      const now = this.#now()
      const row = this.#get('holder', now, tenant)
      if (!row) return { is: 'missing' }
      const { holder, address } = row
      if (holder !== null && holder !== owner) return { is: 'held', address: address as string }
      return { is: 'claimed', claim: this.#take(tenant, owner, now) }
    })
  }

  claimDue(owner: string, most: number, owned: readonly string[]): Promise<readonly Claim[]> {
    return this.#step(() => {
      const now = this.#now()
      return this.#all('due', now, JSON.stringify(owned), owner, now, most).map(({ id }) =>
        this.#take(id as string, owner, now),
      )
    })
  }

  /** A kind at a time: within one of them nobody else has a turn. */
  async *documents(tenant: string): AsyncGenerator<Document> {
    const kinds = await this.#step(() => this.#all('kinds', tenant).map(({ kind }) => kind as string))
    for (const kind of kinds) {
      const rows = await this.#step(() => this.#all('documents', tenant, kind))
      for (const { id, place, body } of rows)
        yield fromRow({ kind, id: id as string, place: place as number, body: body as string })
    }
  }

  commit(owner: string, commits: readonly Commit[]): Promise<readonly string[]> {
    return this.#step(() => {
      const lost: string[] = []
      for (const commit of commits) {
        const { changes } = this.#run(
          'due-in',
          this.#momentIn(commit.dueInMs),
          commit.tenant,
          owner,
          commit.epoch,
        )
        if (changes === 0) lost.push(commit.tenant)
        else this.#write(commit)
      }
      return lost
    })
  }

  release(owner: string, { id, epoch }: Place, dueInMs: number | null): Promise<void> {
    return this.#step(() => void this.#run('release', this.#momentIn(dueInMs), this.#now(), id, owner, epoch))
  }

  async remove(owner: string, { id, epoch }: Place): Promise<void> {
    await this.#step(() => void this.#run('remove', id, owner, epoch))
    this.#giveBack()
  }

  async prune(idleMs: number): Promise<Pruned> {
    const now = this.#now()
    const tenants = await this.#step(() =>
      Number(this.#run('prune', now, now - idleMs, now - idleMs).changes),
    )
    this.#giveBack()
    return { tenants }
  }

  async close(): Promise<void> {
    if (this.#database.isOpen) this.#database.close()
  }

  #write({ tenant, put, removed }: Commit): void {
    for (const { kind, id } of removed) this.#run('delete', tenant, kind, rowKeyOf(id))
    for (const document of put) {
      const row = toRow(document)
      this.#run('put', tenant, row.kind, row.id, row.place, row.body, checksumOf(tenant, row))
    }
  }

  #take(tenant: string, owner: string, now: number): Claim {
    const { seed, options, epoch } = this.#get('take', owner, now, tenant) ?? {}
    return { id: tenant, seed: fromText(seed as string), options: options as string, epoch: epoch as number }
  }

  /** Some of the room that was let go, to the disk. */
  #giveBack(): void {
    try {
      this.#database.exec('pragma incremental_vacuum(1000)')
    } catch {
      // What was asked for is done; the next time gives back more.
    }
  }

  #momentIn(ms: number | null): number | null {
    return ms === null ? null : this.#now() + ms
  }

  /** All of it or nothing. */
  async #step<T>(work: () => T): Promise<T> {
    try {
      this.#database.exec('begin immediate')
      const result = work()
      this.#database.exec('commit')
      return result
    } catch (error) {
      if (this.#database.isOpen && this.#database.isTransaction) this.#database.exec('rollback')
      throw writingError(error, this.#path)
    }
  }

  #statement(name: FileStatement): StatementSync {
    const known = this.#prepared.get(name)
    if (known) return known
    const made = this.#database.prepare(fileStatements[name])
    this.#prepared.set(name, made)
    return made
  }

  #run(name: FileStatement, ...values: readonly SQLInputValue[]): ReturnType<StatementSync['run']> {
    return this.#statement(name).run(...values)
  }

  #get(name: FileStatement, ...values: readonly SQLInputValue[]): Row | undefined {
    return this.#statement(name).get(...values)
  }

  #all(name: FileStatement, ...values: readonly SQLInputValue[]): readonly Row[] {
    return this.#statement(name).all(...values)
  }
}
