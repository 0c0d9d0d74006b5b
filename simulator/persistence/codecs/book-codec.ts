/** Codecs of what stands in a book: how one entry is written down and put back is all that they differ in. */
import type { Book } from '../../tenant/book.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import type { Codec } from './codec.ts'
import { asBody, asWritten } from './stored-json.ts'

interface Form<T, Stored> {
  pack: (value: T, state: TenantState) => Stored
  unpack: (stored: Stored, state: TenantState, id: string) => T
}

export function bookCodec<T, Stored extends object>(
  bookOf: (state: TenantState) => Book<T>,
  { pack, unpack }: Form<T, Stored>,
): Codec {
  return {
    ids: (state) => bookOf(state).keys(),
    write: (state, id) => {
      const [value, place] = [bookOf(state).get(id), bookOf(state).placeOf(id)]
      return value && place && { body: asBody(pack(value, state)), place }
    },
    read: (state, id, { body, place }) =>
      bookOf(state).restore(id, unpack(asWritten<Stored>(body), state, id), place),
  }
}

/** Of a book whose values are plain data. */
export const plainCodec = <T extends object>(bookOf: (state: TenantState) => Book<T>): Codec =>
  bookCodec(bookOf, { pack: (value) => value, unpack: (stored: T) => stored })
