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

/** Credits are counted in whole thousandths, so that no sum ever drifts. Shown to clients as a number of credits. */
export type Credits = number

/** From a number of credits, as a client or a reply rule writes it. */
export function toCredits(amount: number): Credits {
  const thousandths = Math.round(amount * 1000)
  if (!Number.isSafeInteger(thousandths))
    throw new RangeError(`${amount} credits cannot be counted in thousandths; give a smaller number.`)
  return thousandths
}

/** As a client sees it: the nearest number to the exact decimal. */
export function shownCredits(credits: Credits): number {
  return credits / 1000
}

export interface Account {
  plan: string
  readonly id: string
  readonly name: string
  balance: Credits
  /** Held for turns that run now; they may not be spent twice. */
  reserved: Credits
}

export function available(account: Account): Credits {
  return account.balance - account.reserved
}

/** Kinds of what is stored of a tenant; simulator/persistence/codecs.ts has a row for each. */
export type EntryKind =
  | 'account'
  | 'approval'
  | 'conversation'
  | 'data'
  | 'delivery'
  | 'history'
  | 'key'
  | 'endpoint'
  | 'offer'
  | 'run'
  | 'settings'
  | 'task'
  | 'webhook'

export interface Changes {
  /** This was changed, added or taken away. Accounts and settings are few, and are compared: one of them may be any. */
  changed(kind: EntryKind, id: string): void
  /** Everything changed by now is stored once it resolves; undefined where it is, or where nothing is stored. */
  settled(): Promise<void> | undefined
}

/** Of a tenant that ends with its process. */
export const nothingStored: Changes = { changed: () => undefined, settled: () => undefined }

export type Evicted = Partial<Record<EntryKind, number>>
