import type { WebhookEvent } from '../../spec/index.ts'

/** Reply rules: which turn gets which canned reply. The first rule that matches applies. */
export interface ReplyMatch {
  /** Role or id of the agent; any agent if absent. */
  agent?: string
  /** The whole message, or a part of it; any message if absent. */
  message?: string | { contains: string }
  /** Number of the turn in its conversation, from 1. */
  nth?: number
  /** Number of buttons pressed in a row since the last plain message; a list allows several numbers. */
  pressed?: number | readonly number[]
}

export interface ReplyPresentation {
  messages?: readonly string[]
  /** Labels; with at least one button the turn can be continued. */
  buttons?: readonly string[]
  images?: readonly string[]
  media?: readonly string[]
}

export type ReplyEvent = WebhookEvent | { event: WebhookEvent; payload?: Readonly<Record<string, unknown>> }

export interface CannedReply {
  /**
   * `{message}` is replaced by the message of the customer, `{before}` by the message of the previous turn, each cut
   * to 400 characters.
   */
  text?: string
  /** The tokens of a stream; default: the text, split after spaces. */
  tokens?: readonly string[]
  /** Before the first token. */
  delayMs?: number
  /** Before each token. */
  tokenDelayMs?: number
  actions?: readonly { actionName: string; success?: boolean }[]
  gate?: { decision: string; reason: string }
  presentation?: ReplyPresentation
  /** Cost of the turn, in credits. */
  credits?: number
  /** Webhook events to emit after the turn, besides `message.sent` and `tool.executed`. */
  events?: readonly ReplyEvent[]
  /** The turn fails after this many tokens. */
  error?: { afterTokens: number; text: string }
}

export interface ReplyRule {
  match: ReplyMatch
  reply: CannedReply
}
