/** A canned reply prepared for a turn: the events to send, their delays and the cost. */
import type { StreamEvent } from '../edge/reply.ts'
import { toCredits, type Credits } from '../tenant/conversations.ts'
import { remembered } from '../tenant/book.ts'
import type {
  CannedReply,
  ReplyEvent,
  ReplyMatch,
  ReplyPresentation,
  ReplyRule,
} from '../tenant/reply-rule.ts'

interface Occasion {
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

export interface TurnPlan {
  readonly delayMs: number
  readonly tokenDelayMs: number
  /** Events before the first token. */
  readonly opening: readonly StreamEvent[]
  /** Null: the response in pieces. */
  readonly tokens: readonly string[] | null
  readonly response: string
  /** Cost in the reply rule; null if it has none. */
  readonly given: Credits | null
  readonly presentation: ReplyPresentation | null
  readonly error: { readonly afterTokens: number; readonly text: string } | null
  readonly executed: readonly string[]
  readonly events: readonly ReplyEvent[]
  /** The message is stored and nothing is replied. */
  readonly stored: boolean
}

const quotedCharacters = 400

/** The beginning of a message; a surrogate pair is never cut in two. */
export function quotedMessage(message: string): string {
  if (message.length <= quotedCharacters) return message
  const cut = message.slice(0, quotedCharacters)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}

/**
 * The tokens of a turn, made on demand: nobody sees those of a JSON reply. By default words with the blanks after them, very
 * long words in pieces; joined, they are the text again.
 */
export function plannedTokens({ tokens, response }: TurnPlan): readonly string[] {
  return tokens ?? response.match(/\S{1,24}\s*|\s+/gu) ?? []
}

const none: readonly never[] = []

function opening({ actions = none, gate }: CannedReply): readonly StreamEvent[] {
  if (actions === none && !gate) return none
  const tools = actions.flatMap(({ actionName, success = true }): StreamEvent[] => [
    { type: 'action_start', actionName },
    { type: 'action_complete', actionName, success },
  ])
  return gate ? [...tools, { type: 'gate_triggered', ...gate }] : tools
}

/** Joined once: what a turn said is remembered for long, and of long tokens there is to be no copy for each. */
const joined = new WeakMap<readonly string[], string>()

function textOf({ text, tokens }: CannedReply): string {
  if (text !== undefined || !tokens) return text ?? ''
  return remembered(joined, tokens, () => tokens.join(''))
}

/** `before`: the latest message of the conversation so far. */
export function turnPlanOf(reply: CannedReply, message: string, before = ''): TurnPlan {
  const template = textOf(reply)
  const said: Readonly<Record<string, string>> = { '{message}': quotedMessage(message), '{before}': before }
  const response = template.replace(/\{(?:message|before)\}/g, (place) => said[place] ?? place)
  const succeeded = (reply.actions ?? none).filter(({ success }) => success !== false)
  return {
    delayMs: reply.delayMs ?? 0,
    tokenDelayMs: reply.tokenDelayMs ?? 0,
    opening: opening(reply),
    tokens: reply.tokens ?? null,
    response,
    given: reply.credits === undefined ? null : toCredits(reply.credits),
    presentation: reply.presentation ?? null,
    error: reply.error ?? null,
    executed: succeeded.map(({ actionName }) => actionName),
    events: reply.events ?? none,
    stored: false,
  }
}

/** A message stored while AI replies are paused. */
export const storedPlan: TurnPlan = { ...turnPlanOf({ tokens: [] }, ''), stored: true }
