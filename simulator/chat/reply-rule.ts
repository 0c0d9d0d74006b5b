/** Reply rules: which turn gets which canned reply. The first rule that matches applies. */
import type { WebhookEvent } from '../../spec/index.ts'

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

/** What reply rules match on. */
export interface Occasion {
  readonly agent: { readonly id: string; readonly name: string }
  readonly message: string
  readonly nth: number
  readonly pressed: number
}

function matches(match: ReplyMatch, { agent, message, nth, pressed }: Occasion): boolean {
  if (match.agent !== undefined && match.agent !== agent.name && match.agent !== agent.id) return false
  if (match.nth !== undefined && match.nth !== nth) return false
  if (match.pressed !== undefined && ![match.pressed].flat().includes(pressed)) return false
  if (typeof match.message === 'string') return match.message === message
  return match.message === undefined || message.includes(match.message.contains)
}

/** The reply if no rule matches: the agent repeats the message. */
const echo: CannedReply = { text: 'You said: {message}' }

export function replyFor(replyRules: readonly ReplyRule[], occasion: Occasion): CannedReply {
  return replyRules.find(({ match }) => matches(match, occasion))?.reply ?? echo
}
