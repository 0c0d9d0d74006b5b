/** The history of each key among some exchanges: what every request with it was told, and when. */
import type { Exchange } from '../../../wire/exchange.ts'
import { codesOf, isReplay, statusOf } from '../../../assertions/answer.ts'
import type { Heard, History, Told } from './history-rules.ts'
import { byKey, runsOf, showsRun } from '../race.ts'
import { events, fields } from '../../../assertions/reply.ts'
import { asked } from '../../../assertions/turn.ts'

type Exchanges = readonly Exchange[]

export function historiesOf(exchanges: Exchanges): readonly History[] {
  return byKey(exchanges).map(historyOf)
}

/** All exchanges of one key. */
function historyOf(same: Exchanges): History {
  const runs = runsOf(same)
  return same.map((exchange) => heardOf(exchange, runs))
}

function heardOf(exchange: Exchange, runs: Exchanges): Heard {
  const told = toldOf(exchange, runs)
  const { idempotency_key: inBody, message, ...others } = asked(exchange) ?? {}
  const { response, conversation_id: conversation } = fields(exchange) ?? {}
  return {
    id: exchange.id,
    from: exchange.sentAt,
    to: told === 'begun' || told === 'lost' ? Infinity : exchange.endedAt,
    told,
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

const words = {
  REQUEST_IN_PROGRESS: 'in-progress',
  IDEMPOTENCY_CONFLICT: 'conflict',
  OUTCOME_UNCERTAIN: 'uncertain',
} as const satisfies Readonly<Record<string, Told>>

function toldOf(exchange: Exchange, runs: Exchanges): Told {
  const got = statusOf(exchange)
  // The reply that was given before, without its mark: which is judged where marks are the subject.
  if (showsRun(exchange) && !runs.includes(exchange)) return 'replayed'
  if (showsRun(exchange)) return exchange.failure === null ? 'ran' : begins(exchange) ? 'begun' : 'lost'
  // Sent twice, it may have met itself: of the first sending nobody knows what became.
  if (exchange.failure !== null || exchange.resent === true || got < 200 || got >= 500) return 'lost'
  if (got < 400) return isReplay(exchange) ? 'replayed' : 'lost'
  const said = codesOf(exchange).flatMap((code) => (code in words ? words[code as keyof typeof words] : []))
  const [only, another] = new Set(said)
  return only !== undefined && another === undefined ? only : 'refused'
}

/** Of an answer that was cut: something of a turn came, and not only that there is none. */
function begins(exchange: Exchange): boolean {
  return events(exchange).some(({ type }) => type !== 'error')
}
