/**
 * Idempotency keys. A turn that ran when its process ended is not known to have come to anything: its key is
 * uncertain from then on, and nothing runs it again.
 */
import type { KeyBook, KeyRecord } from '../world/keys.ts'
import type { World } from '../world/world.ts'
import type { Shelf } from './shelf.ts'
import { asBody, asWritten } from './stored-json.ts'

interface Stored {
  readonly record: KeyRecord
  readonly messageId?: string
}

function shelfOf(
  bookOf: (world: World) => KeyBook,
  more: (world: World, record: KeyRecord) => Omit<Stored, 'record'> = () => ({}),
): Shelf {
  return {
    write: (world, id) => {
      const book = bookOf(world)
      const [record, place] = [book.find(id), book.placeOf(id)]
      return record && place && { body: asBody({ record, ...more(world, record) }), place }
    },
    read: (world, _id, { body, place }) => {
      const { record, messageId } = asWritten<Stored>(body)
      bookOf(world).restore(record, place)
      if (messageId !== undefined) world.older.messageIds.set(record, messageId)
    },
    wake: (world) => {
      const book = bookOf(world)
      for (const record of book.running) book.settle(record, { is: 'uncertain' })
    },
  }
}

export const keys = shelfOf((world) => world.keys)

export const olderKeys = shelfOf(
  ({ older }) => older.keys,
  ({ older }, record) => {
    const messageId = older.messageIds.get(record)
    return messageId === undefined ? {} : { messageId }
  },
)
