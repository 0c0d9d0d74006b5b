/** The history of each key among some exchanges: the outcome of every request with it, and its times. */
import type { Exchange } from '../../../wire/exchange.ts'
import { codesOf, isReplay, statusOf } from '../../../assertions/answer.ts'
import type { KeyedRequest, KeyHistory, RequestOutcome } from './history-rules.ts'
import { byKey, runsOf, showsRun } from '../race.ts'
import { events, fields } from '../../../assertions/reply.ts'
import { asked } from '../../../assertions/turn.ts'

type Exchanges = readonly Exchange[]

export function historiesOf(exchanges: Exchanges): readonly KeyHistory[] {
  return byKey(exchanges).map(historyOf)
}

function historyOf(same: Exchanges): KeyHistory {
  const runs = runsOf(same)
  return same.map((exchange) => keyedRequestOf(exchange, runs))
}

function keyedRequestOf(exchange: Exchange, runs: Exchanges): KeyedRequest {
  const outcome = outcomeOf(exchange, runs)
  const { idempotency_key: inBody, message, ...others } = asked(exchange) ?? {}
  const { response, conversation_id: conversation } = fields(exchange) ?? {}
  return {
    id: exchange.id,
    from: exchange.sentAt,
    to: outcome === 'begun' || outcome === 'lost' ? Infinity : exchange.endedAt,
    outcome: outcome,
    message: JSON.stringify(message) ?? '',
    content: JSON.stringify([message, others['stream'] === true, { ...others, stream: null }]),
    carrier: inBody === undefined ? headerOf(exchange) : 'body',
    stream: others['stream'] === true,
    response: textOf(response),
    conversation: textOf(conversation),
  }
}

function headerOf({ request }: Exchange): string {
  return request.headers.find(([name]) => /^(?:x-)?idempotency-key$/i.test(name))?.[0].toLowerCase() ?? 'none'
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const outcomes = {
  REQUEST_IN_PROGRESS: 'in-progress',
  IDEMPOTENCY_CONFLICT: 'conflict',
  OUTCOME_UNCERTAIN: 'uncertain',
} as const satisfies Readonly<Record<string, RequestOutcome>>

function outcomeOf(exchange: Exchange, runs: Exchanges): RequestOutcome {
  const code = statusOf(exchange)
  // A repeated reply without the replay header, which other checks judge.
  if (showsRun(exchange) && !runs.includes(exchange)) return 'replayed'
  if (showsRun(exchange)) return exchange.failure === null ? 'ran' : begins(exchange) ? 'begun' : 'lost'
  // If it was sent twice, the first sending may have caused the response to the second; its outcome is unknown.
  if (exchange.failure !== null || exchange.resent === true || code < 200 || code >= 500) return 'lost'
  if (code < 400) return isReplay(exchange) ? 'replayed' : 'lost'
  const named = codesOf(exchange).flatMap((code) =>
    code in outcomes ? outcomes[code as keyof typeof outcomes] : [],
  )
  const [only, another] = new Set(named)
  return only !== undefined && another === undefined ? only : 'refused'
}

/** The response was cut off after an event of a turn other than an error. */
function begins(exchange: Exchange): boolean {
  return events(exchange).some(({ type }) => type !== 'error')
}
