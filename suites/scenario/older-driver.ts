/** What a scenario about the older chat variant can do: send a message its way, and read a conversation. */
import type { Exchange, Header } from '../wire/exchange.ts'
import type { Json, Many, One, Patience } from './driver.ts'

/** Roles that `needs.older` gives to the keys of the variant. */
export type OlderRole = 'older' | 'otherOlder'

export interface OlderRequest {
  /** Absent sends a fresh text; to send none, give `raw`. */
  message?: Json
  conversation_id?: Json
  metadata?: Json
  stream?: Json
  /** Body bytes instead of the JSON of the members above. */
  raw?: string | Uint8Array
  /** Reads this conversation instead of sending a message. */
  read?: string
  /** Default: the agent of the key. */
  agent?: string
  /** Whose key is sent; `null` sends no credentials. Default `older`. */
  as?: OlderRole | null
  /** Beside the ordinary ones; a name given here replaces the ordinary one in any casing. */
  headers?: readonly Header[]
  withoutHeaders?: readonly string[]
  patience?: Patience
}

export interface OlderDriver<N extends string = string> {
  /** Sends one request of the older variant and waits for the whole answer. */
  older(name: One<N>, request?: OlderRequest): Promise<Exchange>
  /** The same under a list name. */
  olderMore(name: Many<N>, request?: OlderRequest): Promise<Exchange>
}
