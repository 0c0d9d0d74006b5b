/** Names of the wire made into names of the library, at the top level: what is inside stays as it came. */
import type { ChatReply as WireReply } from '../../spec/types/openapi.ts'
import type { JsonObject } from '../json.ts'

/** `ai_reply` says in some way that the reply is paused. */
export type CustomerMessage = NonNullable<WireReply['customer_message']>

/** Messages, buttons, images and media of a Workflow turn, to be shown as far as they are there. */
export type Presentation = NonNullable<WireReply['presentation']>

export interface ChatReply {
  /** Empty where the message was stored while AI replies are paused. */
  readonly response: string
  /** For the next turn of this conversation. */
  readonly conversationId: string
  readonly creditsUsed: number
  readonly creditsRemaining: number
  /** Only where the turn has Workflow content; member names are unchanged. */
  readonly presentation?: Presentation
  /** Only where the message was stored while AI replies are paused; member names are unchanged. */
  readonly customerMessage?: CustomerMessage
  /** Whether this is the answer to an earlier request with the same key: the turn was not run again. */
  readonly replayed: boolean
  /** Diagnostics, under the names that they came with. Nothing may rely on them. */
  readonly [diagnostic: string]: unknown
}

const names: Readonly<Record<string, string>> = {
  conversation_id: 'conversationId',
  credits_used: 'creditsUsed',
  credits_remaining: 'creditsRemaining',
  customer_message: 'customerMessage',
}

/** A diagnostic never takes the place of a member of the contract. */
export function chatReplyOf(body: JsonObject, replayed: boolean): ChatReply {
  const mapped = Object.entries(names)
    .filter(([name]) => Object.hasOwn(body, name))
    .map(([name, own]) => [own, body[name]] as const)
  const others = Object.entries(body).filter(([name]) => !Object.hasOwn(names, name))
  return Object.fromEntries([...others, ...mapped, ['replayed', replayed]]) as unknown as ChatReply
}

export const isReplayedResponse = (headers: Headers, replayHeader: string): boolean =>
  headers.get(replayHeader)?.trim().toLowerCase() === 'true'

const camel = (name: string): string =>
  name.replace(/(?<=[a-zA-Z0-9])_+([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Of an event that is no reply. */
export function camelMembers(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [camel(name), value]))
}
