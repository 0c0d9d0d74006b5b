/** How one kind of what a tenant remembers is written down and put back. */
import type { JsonObject } from '../../json.ts'
import type { Place } from '../../tenant/book.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'

export interface Written {
  readonly body: JsonObject
  /** In which order it is put back within its kind, and since when it is known. */
  readonly place: Place
}

export interface Shelf {
  /** As it stands now; undefined: it is gone. */
  write(state: TenantState, id: string): Written | undefined
  /** Puts one back into a tenant that was just made. Kinds come in the order of `shelves`. */
  read(state: TenantState, id: string, written: Written): void
  /** Everything of every kind is back: timers start, and what was under way when the process ended is settled. */
  wake?(state: TenantState): void
}
