/** All kinds of what is stored of a tenant, in the order in which they are put back. */
import { conversationKey, type Conversation, type Offer } from '../../tenant/conversations.ts'
import type { EntryKind } from '../../tenant/changes.ts'
import type { KeyRecord } from '../../tenant/keys.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { accountCodec, accountDataCodec } from './accounts.ts'
import { bodyOf, bookCodec, bookPlaceOf, plainCodec, entryAt, type Codec, type Written } from './codec.ts'
import { deliveryCodec, endpointCodec } from './deliveries.ts'
import { settingsCodec } from './settings.ts'
import { approvalCodec, runCodec, taskCodec } from './work.ts'

/** A conversation that is forgotten already comes back with the last of its buttons, and stands nowhere else. */
const offerCodec = bookCodec<Offer, Offer>(
  ({ offers }) => offers,
  (offer) => offer,
  ({ conversation, presentation }, { conversations }) => ({
    conversation: conversations.get(conversationKey(conversation)) ?? conversation,
    presentation,
  }),
)

/**
 * Idempotency keys. A turn that ran when its process ended is not known to have come to anything: its key is
 * uncertain from then on, and nothing runs it again.
 */
const keyCodec: Codec = {
  ids: ({ keys }) => Array.from(keys.values(), ({ id }) => id),
  write: ({ keys }, id) => {
    const [record, place] = [keys.find(id), keys.placeOf(id)]
    return record && place && entryAt(place, { record })
  },
  read: ({ keys }, _id, entry) =>
    keys.restore(bodyOf<{ record: KeyRecord }>(entry).record, bookPlaceOf(entry)),
  wake: ({ keys }) => {
    for (const record of keys.running) keys.settle(record, { is: 'uncertain' })
  },
}

export const codecs: Readonly<Record<EntryKind, Codec>> = {
  settings: settingsCodec,
  account: accountCodec,
  data: accountDataCodec,
  conversation: plainCodec<Conversation>(({ conversations }) => conversations),
  offer: offerCodec,
  key: keyCodec,
  history: plainCodec(({ older }) => older.histories),
  run: runCodec,
  approval: approvalCodec,
  task: taskCodec,
  // With their secrets and custom headers, which queued deliveries need.
  webhook: plainCodec(({ webhooks }) => webhooks),
  endpoint: endpointCodec,
  delivery: deliveryCodec,
}

export const kinds = Object.keys(codecs) as EntryKind[]

/** One item that a tenant remembers. */
export interface Entry extends Written {
  readonly kind: EntryKind
  readonly id: string
}

export const byPlace = (one: Entry, other: Entry): number => one.place - other.place

/** Fills a tenant that has nothing but its fixtures. No timer starts before `wake`. Throws on a damaged entry. */
export function readEntries(state: TenantState, entries: readonly Entry[]): void {
  const byKind = Map.groupBy(entries, ({ kind }) => kind)
  for (const kind of kinds)
    for (const entry of (byKind.get(kind) ?? []).sort(byPlace)) codecs[kind].read(state, entry.id, entry)
}

export function wake(state: TenantState): void {
  for (const kind of kinds) codecs[kind].wake?.(state)
}
