/** Conversations, and the buttons that presentations offered in them. */
export interface Conversation {
  readonly id: string
  readonly agent: string
  readonly account: string
  /** Turns so far, stored messages included. */
  turns: number
  /** Buttons pressed since the last plain message. */
  presses: number
  /** Number of the presentation whose buttons are current; 0 when none is. */
  current: number
  /** The beginning of the latest message; absent before the first, and in what older versions wrote. */
  said?: string
}

/** One button that was offered once. */
export interface Offer {
  readonly conversation: Conversation
  /** Number of the presentation that offered it. */
  readonly presentation: number
}

/** Of a button as it is stored, beside what clients choose. */
const offerBytes = 400

/** Bytes of an offer as it is stored, about: each is stored with its conversation. */
export const offerSize = ({ conversation: { id, said = '' } }: Offer): number =>
  offerBytes + id.length + said.length

/** `unknown`: no presentation offered it here. */
export type ButtonState = 'current' | 'superseded' | 'unknown'

/** Conversations are found by account and agent too: nobody continues that of another. */
export function conversationKey({
  account,
  agent,
  id,
}: Pick<Conversation, 'account' | 'agent' | 'id'>): string {
  return `${account}/${agent}/${id}`
}
