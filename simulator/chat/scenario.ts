/** What an agent does with a message, as data. The first scenario that matches tells the turn. */
import type { WebhookEvent } from '../../spec/index.ts'

export interface ScenarioMatch {
  /** Role or id of the agent; absent: any. */
  agent?: string
  /** The whole message, or a part of it. */
  message?: string | { contains: string }
  /** The nth turn of its conversation, from 1. */
  nth?: number
  /** Buttons pressed in a row since the last plain message; a list gives several. */
  pressed?: number | readonly number[]
}

export interface ScenarioPresentation {
  messages?: readonly string[]
  /** Labels; at least one makes the turn one that can be continued. */
  buttons?: readonly string[]
  images?: readonly string[]
  media?: readonly string[]
}

/** A webhook event: its name, or its name with a payload of its own. */
export type ScenarioEvent =
  | WebhookEvent
  | { event: WebhookEvent; payload?: Readonly<Record<string, unknown>> }

export interface ScenarioReply {
  /**
   * `{message}` stands for what the customer wrote, `{before}` for what they wrote in the turn before; both are cut to
   * 400 characters.
   */
  text?: string
  /** The pieces a stream sends; default: the text cut after blanks. */
  tokens?: readonly string[]
  /** Before the first token. */
  delayMs?: number
  /** Before each token. */
  tokenDelayMs?: number
  actions?: readonly { actionName: string; success?: boolean }[]
  gate?: { decision: string; reason: string }
  presentation?: ScenarioPresentation
  /** What the turn costs, in credits. */
  credits?: number
  /** Webhook events that happen with the turn, besides `message.sent` and `tool.executed`. */
  events?: readonly ScenarioEvent[]
  /** The turn fails after so many tokens. */
  error?: { afterTokens: number; text: string }
}

export interface Scenario {
  match: ScenarioMatch
  reply: ScenarioReply
}

/** A turn as scenarios see it. */
export interface Occasion {
  readonly agent: { readonly id: string; readonly name: string }
  readonly message: string
  readonly nth: number
  readonly pressed: number
}

function matches(match: ScenarioMatch, { agent, message, nth, pressed }: Occasion): boolean {
  if (match.agent !== undefined && match.agent !== agent.name && match.agent !== agent.id) return false
  if (match.nth !== undefined && match.nth !== nth) return false
  if (match.pressed !== undefined && ![match.pressed].flat().includes(pressed)) return false
  if (typeof match.message === 'string') return match.message === message
  return match.message === undefined || message.includes(match.message.contains)
}

/** Where no scenario matches, the agent repeats what it was told. */
const echo: ScenarioReply = { text: 'You said: {message}' }

export function replyFor(scenarios: readonly Scenario[], occasion: Occasion): ScenarioReply {
  return scenarios.find(({ match }) => matches(match, occasion))?.reply ?? echo
}
