/** How one kind of what a tenant remembers is written down and put back. */
import type { JsonObject } from '../../json.ts'
import type { BookPlace } from '../../tenant/book.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'

export interface StoredEntry {
  readonly body: JsonObject
  /** In which order it is put back within its kind, and since when it is known. */
  readonly place: BookPlace
}

export interface Codec {
  /** Everything of this kind that can be written. */
  ids(state: TenantState): Iterable<string>
  /** As it stands now; undefined: it is gone. */
  write(state: TenantState, id: string): StoredEntry | undefined
  /** Puts one back into a tenant that was just made. Kinds come in the order of `codecs`. */
  read(state: TenantState, id: string, written: StoredEntry): void
  /** Everything of every kind is back: timers start, and what was under way when the process ended is settled. */
  wake?(state: TenantState): void
}
