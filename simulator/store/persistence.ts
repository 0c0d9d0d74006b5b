/**
 * Stores the tenants of a simulator in a file. What changes in one turn of the event loop is written in one transaction
 * at its end, and replies wait for it. What cannot be written stays marked, and is tried again with the next.
 */
import { isDeepStrictEqual } from 'node:util'
import { openDocumentFile, type DocumentChange, type DocumentFile, type StoredDocument } from './file.ts'
import type { Tenant, TenantOptions } from '../tenant-handle.ts'
import type { Changes, EntryKind } from '../tenant/conversations.ts'
import { breathe } from '../clock/machine-time.ts'
import type { TenantState } from '../rules/tenant-state.ts'
import {
  type Written,
  codecs,
  kinds,
  readEntries,
  wake,
  type Entry,
  withoutChosen,
} from '../persistence/codecs.ts'

/** What a tenant is made from, in a document of its own. */
interface Origin {
  readonly seed: string
  readonly options: TenantOptions
  /** How often it was taken up from the file: ids that are made from then on are others than before. */
  readonly life: number
}

interface StoredTenant {
  readonly origin: Origin
  /** What was changed since it was written last. */
  readonly marks: Map<EntryKind, Set<string>>
  /** What nobody reports, as it was written last. */
  known: ReadonlyMap<string, string | null>
  /** Undefined while it is made. */
  state?: TenantState
}

const originKind = 'tenant'

export class Persistence {
  readonly #file: DocumentFile
  readonly #notice: (line: string) => void
  /** The tenants in the file by seed, the oldest first. */
  readonly origins: Map<string, Origin>
  readonly #tenants = new Map<string, StoredTenant>()
  /** Those that may have something to write. */
  readonly #changed = new Set<StoredTenant>()
  #waiting: PromiseWithResolvers<void> | undefined
  #isAway = false

  /** Throws a RangeError that says what to do. `notice` gets a line when the file cannot be written, and when it can again. */
  constructor(path: string, notice: (line: string) => void) {
    this.#file = openDocumentFile(path)
    this.#notice = notice
    const origins = this.#file.reading(() =>
      this.#file.ofKind(originKind).map(({ body }) => JSON.parse(body) as Origin),
    )
    this.origins = new Map(origins.map((origin) => [origin.seed, origin]))
  }

  /** Whether the last attempt to write failed; then it is tried again, for whoever asks next. */
  get isAway(): boolean {
    void this.settled()
    return this.#isAway
  }

  /** Makes a tenant, and puts back what is stored of it. Throws a RangeError for options that JSON cannot hold. */
  load(seed: string, options: TenantOptions, make: (changes: Changes, life: number) => Tenant): Tenant {
    const before = this.origins.get(seed)
    const origin = { seed, options: plain(options), life: before ? before.life + 1 : 0 }
    const stored: StoredTenant = { origin, marks: new Map(), known: new Map() }
    const changed = (kind: EntryKind, id: string): void => {
      if (!codecs[kind].isCompared)
        stored.marks.set(kind, (stored.marks.get(kind) ?? new Set<string>()).add(id))
      if (stored.state) void this.#soon(stored)
    }
    const changes: Changes = { changed, settled: () => this.settled() }
    const tenant = make(changes, origin.life)
    const { state } = tenant
    const isSame = isDeepStrictEqual(before?.options, origin.options)
    const entries = () => this.#file.ofTenant(state.id).map((document) => entryIn(document, isSame))
    this.#file.reading(() => readEntries(state, entries()))
    stored.state = state
    this.#tenants.set(state.id, stored)
    this.origins.set(seed, origin)
    wake(state)
    void this.#soon(stored)
    return tenant
  }

  settled(): Promise<void> | undefined {
    return this.#changed.size > 0 ? this.#soon() : undefined
  }

  /** Nothing of it is written from now on; what is stored stays, or is deleted. */
  end({ id, seed }: TenantState, how: 'stays' | 'deleted'): void {
    const stored = this.#tenants.get(id)
    if (!stored) return
    if (how === 'stays') this.#write(stored)
    else {
      this.#file.removeTenant(id)
      this.origins.delete(seed)
    }
    this.#tenants.delete(id)
    this.#changed.delete(stored)
    delete stored.state
  }

  /** Writes what is left. */
  close(): void {
    this.#write(...this.#tenants.values())
    if (this.#isAway) this.#notice('not everything was stored at the end')
    for (const stored of this.#tenants.values()) delete stored.state
    this.#tenants.clear()
    this.#changed.clear()
    this.#file.close()
  }

  /** Whatever this turn of the event loop still changes goes along. */
  #soon(stored?: StoredTenant): Promise<void> {
    if (stored) this.#changed.add(stored)
    if (this.#waiting) return this.#waiting.promise
    const waiting = Promise.withResolvers<void>()
    this.#waiting = waiting
    // Often nobody waits for it, and then nobody hears of its rejection either.
    waiting.promise.catch(() => undefined)
    void breathe().then(() => this.#write())
    return waiting.promise
  }

  #write(...more: readonly StoredTenant[]): void {
    for (const stored of more) this.#changed.add(stored)
    const waiting = this.#waiting
    this.#waiting = undefined
    try {
      const found = [...this.#changed].map((stored) => [stored, unwritten(stored)] as const)
      this.#file.commit(found.flatMap(([, { changes }]) => changes))
      for (const [stored, { known }] of found) {
        stored.marks.clear()
        stored.known = known
      }
      this.#changed.clear()
      if (this.#isAway) this.#notice('the store can be written again')
      this.#isAway = false
      waiting?.resolve()
    } catch (error) {
      if (!this.#isAway) this.#notice(`the store cannot be written: ${String(error)}`)
      this.#isAway = true
      waiting?.reject(error)
    }
  }
}

function unwritten({ origin, marks, known, state }: StoredTenant) {
  const found = { changes: [] as DocumentChange[], known: new Map<string, string | null>() }
  if (!state) return found
  const add = (kind: string, id: string, body: string | null): void =>
    void found.changes.push({ tenant: state.id, kind, id, body })
  const bodyOf = (kind: EntryKind, id: string): string | null => {
    const entry = codecs[kind].write(state, id)
    return entry ? JSON.stringify(entry) : null
  }
  for (const [kind, ids] of marks) for (const id of ids) add(kind, id, bodyOf(kind, id))
  const compare = (kind: string, id: string, body: string | null): void => {
    const name = `${kind} ${id}`
    found.known.set(name, body)
    if (known.get(name) !== body) add(kind, id, body)
  }
  compare(originKind, '', JSON.stringify(origin))
  for (const kind of kinds.filter((one) => codecs[one].isCompared))
    for (const id of codecs[kind].ids(state)) compare(kind, id, bodyOf(kind, id))
  return found
}

function entryIn({ kind, id, body }: StoredDocument, isSame: boolean): Entry {
  const written = JSON.parse(body) as Written
  return {
    kind: kind as EntryKind,
    id,
    ...(kind === 'settings' && !isSame ? withoutChosen(written) : written),
  }
}

function plain({ seed: _seed, ...given }: TenantOptions): TenantOptions {
  const copy = JSON.parse(JSON.stringify(given)) as typeof given
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && !isDeepStrictEqual(copy[name as keyof typeof given], value))
      throw new RangeError(`The option ${name} cannot be stored: with a store, it has to be plain JSON.`)
  return copy
}
