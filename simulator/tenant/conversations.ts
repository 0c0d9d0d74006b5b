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
