/** How one kind of what a tenant remembers is written down and put back. */
import type { JsonObject } from '../../json.ts'
import type { Book, BookPlace } from '../../tenant/book.ts'
import type { TenantState } from '../../rules/tenant-state.ts'

/** It is put back in the order of places within its kind. */
export interface Written extends BookPlace {
  readonly body: JsonObject
}

export interface Codec {
  /** Nobody reports its changes: its entries are few, and are compared with those that were written last. */
  readonly isCompared?: true
  /** Everything of this kind that can be written. */
  ids(state: TenantState): Iterable<string>
  /** As it stands now; undefined: it is gone. */
  write(state: TenantState, id: string): Written | undefined
  /** Puts one back into a tenant that was just made. Kinds come in the order of `codecs`. */
  read(state: TenantState, id: string, written: Written): void
  /** Everything of every kind is back: timers start, and what was under way when the process ended is settled. */
  wake?(state: TenantState): void
}

/** `value` must be plain data; of `Infinity` JSON makes `null`. */
export const entryAt = ({ place, since }: BookPlace, value: object): Written => ({
  place,
  since,
  body: value as JsonObject,
})

/** Of what has no order and no age. */
export const entryWith = (value: object): Written => entryAt({ place: 0, since: 0 }, value)

/** What is read was written by this simulator: the version of the file, or the digest of a snapshot, says so. */
// oxlint-disable-next-line no-unnecessary-type-parameters -- bytes become types here, and nowhere else
export const bodyOf = <T>({ body }: Written): T => body as unknown as T

/** Of what stands in a book: how one value is written and put back is all that they differ in. */
export function bookCodec<T, Stored extends object>(
  bookOf: (state: TenantState) => Book<T>,
  pack: (value: T) => Stored,
  unpack: (stored: Stored, state: TenantState, id: string) => T,
): Codec {
  return {
    ids: (state) => bookOf(state).keys(),
    write: (state, id) => {
      const [value, place] = [bookOf(state).get(id), bookOf(state).placeOf(id)]
      return value && place && entryAt(place, pack(value))
    },
    read: (state, id, entry) => bookOf(state).restore(id, unpack(bodyOf<Stored>(entry), state, id), entry),
  }
}

const same = <T>(value: T): T => value

/** Of a book whose values are plain data. */
export const plainCodec = <T extends object>(bookOf: (state: TenantState) => Book<T>): Codec =>
  bookCodec(bookOf, same<T>, same<T>)
