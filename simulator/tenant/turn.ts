/** What a turn is made of. */
import type { JsonObject } from '../json.ts'
import type { Credits } from './conversations.ts'
import type { Agent, ApiKey } from './principals.ts'

export interface ChatBody {
  readonly message: string
  readonly conversationId: string | null
  readonly stream: boolean
  /** As it came; null when none was sent. */
  readonly interaction: JsonObject | null
  /** The body as text, as it came. */
  readonly text: string
}

/** A request that passed every rule that needs no state: who asks whom for what under which key. */
export interface TurnRequest {
  readonly apiKey: ApiKey
  readonly agent: Agent
  readonly request: ChatBody
  /** Idempotency key as the client sent it. */
  readonly key: string
}

/** The reply of a completed turn, before it is encoded for a client. */
export interface TurnReply {
  readonly response: string
  readonly conversation: string
  readonly used: Credits
  readonly remaining: Credits
  readonly presentation: JsonObject | null
  readonly customerMessage: JsonObject | null
}
