/** All kinds of what is kept of a world, in the order in which they are put back. */
import type { Kind } from '../world/changes.ts'
import type { Shelf } from './shelf.ts'

/** A kind that nothing of a world is written down of yet. */
const empty: Shelf = { write: () => undefined, read: () => undefined }

export const shelves: Readonly<Record<Kind, Shelf>> = {
  settings: empty,
  account: empty,
  agent: empty,
  data: empty,
  conversation: empty,
  offer: empty,
  key: empty,
  'older-key': empty,
  history: empty,
  run: empty,
  approval: empty,
  task: empty,
  webhook: empty,
  lane: empty,
  delivery: empty,
}
