/**
 * Writes what tenants changed to a store: whatever came while one transaction was under way goes with the next. What
 * cannot be written now is not lost: it is tried again until the store is back.
 */
import { StoreAway, type Store } from '../store/store.ts'
import type { Changes } from '../tenant/changes.ts'
import { afterRealTime, breathe } from '../tenant/clock/machine-time.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { createPage, type TenantPage, type TakenChanges } from './page.ts'

/** A tenant whose tenant is kept. */
export interface PersistedTenant {
  /** For the tenant, from its making on. Nothing is written before `begin`. */
  readonly changes: Changes
  /** Its tenant is whole; what it changes is written under this epoch. */
  begin(state: TenantState, epoch: number): void
  /** Something may have changed that nobody marks, such as a setting; what waits for changes waits for it, too. */
  look(): void
  /** Stops writing; pending promises reject with the reason. */
  end(reason: Error): void
}

export interface WriteBehindOptions {
  readonly store: Store
  /** Id of the replica that runs the tenants. */
  readonly owner: string
  /** Somebody else runs these tenants now. */
  lost: (tenants: readonly string[]) => void
  /** A tenant could not be written down: a defect of ours. It is no longer persisted, and pending promises reject. */
  defect: (tenant: string, reason: Error) => void
  /** Whether nobody else can have taken the tenants. Default: nobody can. */
  readonly sure?: () => boolean
  /** How long anybody waits for a store that is away, in ms. Default 5,000. */
  readonly storeTimeoutMs?: number
}

export interface WriteBehind {
  keep(tenant: string): PersistedTenant
  /** Why nothing can be written now; null while all is well. */
  readonly away: StoreAway | null
  /** Resolves once everything that was changed by now is durable; rejects where that takes longer than it may. */
  flush(): Promise<void>
}

interface Row {
  readonly tenant: string
  readonly page: TenantPage
  state?: TenantState
  epoch: number
}

interface Entry {
  readonly row: Row
  readonly taken: TakenChanges
}

const retryMs = { first: 100, most: 2_000 }

export const createWriteBehind = (options: WriteBehindOptions): WriteBehind => new GroupCommit(options)

class GroupCommit implements WriteBehind {
  readonly #options: WriteBehindOptions
  readonly #rows = new Map<string, Row>()
  /** Those that have something to write. */
  readonly #changed = new Set<Row>()
  #away: StoreAway | null = null
  #busy = false

  constructor(options: WriteBehindOptions) {
    this.#options = options
  }

  get away(): StoreAway | null {
    return this.#away
  }

  keep(tenant: string): PersistedTenant {
    const row: Row = { tenant, page: createPage(tenant), epoch: 0 }
    const { page } = row
    this.#rows.set(tenant, row)
    return {
      changes: {
        mark: (kind, id) => {
          page.mark(kind, id)
          this.#soon(row)
        },
        settled: () => page.waiting && this.#patiently(page.waiting.promise),
        sure: () => {
          if (this.#options.sure?.() ?? true) return undefined
          // What is written under an epoch that is over is refused.
          page.look()
          this.#soon(row)
          return page.waiting?.promise
        },
      },
      begin: (state, epoch) => {
        Object.assign(row, { state, epoch })
        page.look()
        this.#soon(row)
      },
      look: () => {
        page.look()
        this.#soon(row)
      },
      end: (reason) => this.#end(row, reason),
    }
  }

  async flush(): Promise<void> {
    const waits = [...this.#rows.values()].flatMap(({ page }) => page.waiting ?? [])
    await Promise.all(waits.map(({ promise }) => this.#patiently(promise)))
  }

  #end(row: Row, reason: Error): void {
    if (this.#rows.get(row.tenant) === row) this.#rows.delete(row.tenant)
    this.#changed.delete(row)
    delete row.state
    row.page.fail(reason)
  }

  #soon(row: Row): void {
    if (!row.state) return
    this.#changed.add(row)
    if (this.#busy) return
    this.#busy = true
    void this.#write()
  }

  /** Rejects pending promises after a timeout while the store is unavailable. */
  #patiently(work: Promise<void>): Promise<void> {
    const { store, storeTimeoutMs = 5_000 } = this.#options
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const late = (): void => reject(this.#away ?? new StoreAway(`${store.name} took too long to write.`))
    const forget = afterRealTime(storeTimeoutMs, late)
    void work.then(resolve, reject).finally(forget)
    return promise
  }

  /** Until nothing is left to write. */
  async #write(): Promise<void> {
    let waitMs = retryMs.first
    for (;;) {
      // Whatever this turn of the event loop still changes goes along.
      await breathe()
      const entries = this.#take()
      if (entries.length === 0) {
        // Whoever could not write has ended meanwhile: the next one finds out how the store is.
        this.#away = null
        this.#busy = false
        return
      }
      if (await this.#commit(entries)) waitMs = retryMs.first
      else {
        await new Promise<void>((resolve) => void afterRealTime(waitMs, resolve))
        waitMs = Math.min(waitMs * 2, retryMs.most)
      }
    }
  }

  #take(): readonly Entry[] {
    const entries: Entry[] = []
    for (const row of this.#changed)
      try {
        const taken = row.state && row.page.take(row.state, row.epoch)
        if (taken) entries.push({ row, taken })
      } catch (error) {
        this.#options.defect(row.tenant, asError(error))
      }
    this.#changed.clear()
    return entries
  }

  /** One that was taken up anew while this was under way is not lost with what it was before. */
  #current(entries: readonly Entry[], refused: readonly string[]): readonly string[] {
    return entries
      .filter(({ row }) => refused.includes(row.tenant) && this.#rows.get(row.tenant) === row)
      .map(({ row }) => row.tenant)
  }

  /** False: the store is away. */
  async #commit(entries: readonly Entry[]): Promise<boolean> {
    const { store, owner, lost } = this.#options
    try {
      const refused = await store.commit(
        owner,
        entries.map(({ taken }) => taken.commit),
      )
      const gone = this.#current(entries, refused)
      if (gone.length > 0) lost(gone)
      for (const { row, taken } of entries) row.page.written(taken)
      this.#away = null
      return true
    } catch (error) {
      this.#away = asAway(error, store)
      for (const { row, taken } of entries) {
        row.page.putBack(taken)
        if (row.state) this.#changed.add(row)
      }
      return false
    }
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

function asAway(error: unknown, store: Store): StoreAway {
  if (error instanceof StoreAway) return error
  return new StoreAway(`${store.name} could not write: ${asError(error).message}`, { cause: error })
}
