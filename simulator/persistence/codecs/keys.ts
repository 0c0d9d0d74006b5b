/**
 * Idempotency keys. A turn that ran when its process ended is not known to have come to anything: its key is
 * uncertain from then on, and nothing runs it again.
 */
import type { KeyBook, KeyRecord } from '../../tenant/keys.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import type { Codec } from './codec.ts'
import { asBody, asWritten } from './stored-json.ts'

interface Stored {
  readonly record: KeyRecord
  readonly messageId?: string
}

function codecOf(
  bookOf: (state: TenantState) => KeyBook,
  more: (state: TenantState, record: KeyRecord) => Omit<Stored, 'record'> = () => ({}),
): Codec {
  return {
    ids: (state) => Array.from(bookOf(state).values(), ({ id }) => id),
    write: (state, id) => {
      const book = bookOf(state)
      const [record, place] = [book.find(id), book.placeOf(id)]
      return record && place && { body: asBody({ record, ...more(state, record) }), place }
    },
    read: (state, _id, { body, place }) => {
      const { record, messageId } = asWritten<Stored>(body)
      bookOf(state).restore(record, place)
      if (messageId !== undefined) state.older.messageIds.set(record, messageId)
    },
    wake: (state) => {
      const book = bookOf(state)
      for (const record of book.running) book.settle(record, { is: 'uncertain' })
    },
  }
}

export const keyCodec = codecOf((state) => state.keys)

export const olderKeyCodec = codecOf(
  ({ older }) => older.keys,
  ({ older }, record) => {
    const messageId = older.messageIds.get(record)
    return messageId === undefined ? {} : { messageId }
  },
)
