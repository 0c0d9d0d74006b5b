/** Codecs of plain data: conversations, the buttons offered in them, histories and webhooks. */
import { type Conversation, type Offer, conversationKey } from '../../tenant/conversations.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { bookCodec, plainCodec } from './book-codec.ts'

export const conversationCodec = plainCodec(({ conversations }) => conversations)

/** A conversation that is forgotten already comes back with the last of its buttons, and stands nowhere else. */
export const offerCodec = bookCodec<Offer, Offer>(({ offers }) => offers, {
  pack: (offer) => offer,
  unpack: ({ conversation, presentation }, state) => ({
    conversation: known(state, conversation),
    presentation,
  }),
})

const known = ({ conversations }: TenantState, conversation: Conversation): Conversation =>
  conversations.get(conversationKey(conversation)) ?? conversation

export const historyCodec = plainCodec(({ older }) => older.histories)

/** With their secrets and custom headers, which queued deliveries need. */
export const webhookCodec = plainCodec(({ webhooks }) => webhooks)
