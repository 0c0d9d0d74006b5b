/** Codecs of plain data: conversations, the buttons offered in them, histories and webhooks. */
import type { Book } from '../../tenant/book.ts'
import { type Conversation, type Offer, conversationKey } from '../../tenant/conversations.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import type { Codec } from './codec.ts'
import { asBody, asWritten } from './stored-json.ts'

/** Of a book whose values are plain data. */
export function plainCodec<T extends object>(bookOf: (state: TenantState) => Book<T>): Codec {
  return {
    write: (state, id) => {
      const [value, place] = [bookOf(state).get(id), bookOf(state).placeOf(id)]
      return value && place && { body: asBody(value), place }
    },
    read: (state, id, { body, place }) => bookOf(state).restore(id, asWritten<T>(body), place),
  }
}

export const conversationCodec = plainCodec(({ conversations: conversationCodec }) => conversationCodec)

/** A conversation that is forgotten already comes back with the last of its buttons, and stands nowhere else. */
export const offerCodec: Codec = {
  ...plainCodec(({ offers }) => offers),
  read: (state, id, { body, place }) => {
    const { conversation, presentation } = asWritten<Offer>(body)
    state.offers.restore(id, { conversation: known(state, conversation), presentation }, place)
  },
}

const known = ({ conversations }: TenantState, conversation: Conversation): Conversation =>
  conversations.get(conversationKey(conversation)) ?? conversation

export const historyCodec = plainCodec(({ older }) => older.histories)

/** With their secrets and custom headers, which queued deliveries need. */
export const webhookCodec = plainCodec(({ webhooks }) => webhooks)
