/** Replies of the older variant, as JSON or as events. */
import type { OlderChatReply, OlderSource } from '../../spec/index.ts'
import { createEventLog, type EventLog } from '../chat/event-log.ts'
import type { TurnReply } from '../chat/turn.ts'
import type { EventSource } from '../server/reply.ts'
import type { Agent } from '../tenant/principals.ts'
import type { Rules } from '../rules.ts'

export interface OlderReply {
  readonly reply: TurnReply
  readonly agent: Agent
  readonly messageId: string
}

/** How sure an agent is: the same for every reply, so that nobody takes it for more. */
const confidence = 0.9

/** Lengths of a reply, in characters: a few words are from nowhere, and a long text is from two places. */
const [fewWords, longText] = [24, 300]

/** Where an agent has it from. */
function sourcesOf({ name }: Agent, response: string): OlderSource[] {
  const all = [
    { type: 'document', title: `Handbook of the agent ${name}`, relevance: 0.8 },
    { type: 'website', title: `Questions to the agent ${name}`, relevance: 0.6 },
  ]
  return all.slice(0, response.length < fewWords ? 0 : response.length < longText ? 1 : 2)
}

export function olderReply({ reply, agent, messageId }: OlderReply, rules: Rules): OlderChatReply {
  return {
    response: reply.response,
    conversation_id: reply.conversation,
    message_id: messageId,
    confidence,
    sources: sourcesOf(agent, reply.response),
    credits_used: rules.showCredits(reply.used),
  }
}

/** The sources, and the end. */
export function finishStream(log: EventLog, turnReply: OlderReply, rules: Rules): void {
  const { response: _, sources, ...rest } = olderReply(turnReply, rules)
  log.push(
    rules.olderEvent(
      'sources',
      sources.map((source) => ({ ...source })),
    ),
  )
  log.push(rules.olderEvent('done', rest))
  log.end()
}

/** The tokens of a turn as texts. Who adds the end is the one who knows the reply; without one, it breaks off. */
export function textPieces(turn: EventSource, rules: Rules): EventLog {
  const log = createEventLog()
  turn.follow({
    event: ({ type, token }) => {
      if (type === 'token' && typeof token === 'string') log.push(rules.olderEvent('text', token))
      // There is no event for an error: the stream just ends.
      if (type === 'error') log.end(new Error('The turn failed.'))
      return true
    },
    end: (reason) => {
      if (reason) log.end(reason)
    },
  })
  return log
}

/** What was answered once, as events. */
export function replayedEvents(turnReply: OlderReply, rules: Rules): EventLog {
  const log = createEventLog()
  if (turnReply.reply.response !== '') log.push(rules.olderEvent('text', turnReply.reply.response))
  finishStream(log, turnReply, rules)
  return log
}
