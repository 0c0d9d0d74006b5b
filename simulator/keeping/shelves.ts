/** All kinds of what is kept of a world, in the order in which they are put back. */
import type { Kind } from '../world/changes.ts'
import { accounts } from './accounts.ts'
import { conversations, offers } from './conversations.ts'
import { deliveries, lanes } from './deliveries.ts'
import { histories } from './histories.ts'
import { keys, olderKeys } from './keys.ts'
import { settings } from './settings.ts'
import type { Shelf } from './shelf.ts'
import { webhooks } from './webhooks.ts'

/** A kind that nothing of a world is written down of yet. */
const empty: Shelf = { write: () => undefined, read: () => undefined }

export const shelves: Readonly<Record<Kind, Shelf>> = {
  settings,
  account: accounts,
  data: empty,
  conversation: conversations,
  offer: offers,
  key: keys,
  'older-key': olderKeys,
  history: histories,
  run: empty,
  approval: empty,
  task: empty,
  webhook: webhooks,
  lane: lanes,
  delivery: deliveries,
}
