/**
 * Rules over the history of one idempotency key: each request with it, its times and its outcome. The server acted at
 * some moment between sending and response, so a rule is only broken if no order of events explains the outcomes. A
 * request without a final response may complete at any later time, or never.
 *
 * Tests compare these rules with a search of all orders (`linearization.testkit.ts`). No violation reported by a rule
 * has an order that explains it. Of random histories without such an order, only the search finds fewer than one in a
 * hundred: those that the order of three or more responses rules out, such as a key that was uncertain and is in
 * progress again, or a conflict between two moments in which its only rival cannot have occupied the key. The rules
 * accept these, because a server may have reconciled the turn in the meantime. Only the rules name the broken clause.
 */
import type { Exchange } from '../../../wire/exchange.ts'
import { codesOf, isReplay, statusOf } from '../../../assertions/answer.ts'
import { byKey, runsOf, showsRun } from '../race.ts'
import { events, fields } from '../../../assertions/reply.ts'
import { asked } from '../../../assertions/turn.ts'

/**
 * `ran`: a turn with a complete response. `begun`: a turn whose response was cut off. `replayed`: from the record.
 * `lost`: no complete response, or a server error, so the request may have had any effect. `refused`: for a reason
 * unrelated to the key, which the request may have occupied until then.
 */
export type RequestOutcome =
  | 'ran'
  | 'begun'
  | 'replayed'
  | 'in-progress'
  | 'conflict'
  | 'uncertain'
  | 'refused'
  | 'lost'

export interface KeyedRequest {
  /** Id of its exchange. */
  readonly id: number
  readonly from: number
  /** Infinity if the end is unknown. */
  readonly to: number
  readonly outcome: RequestOutcome
  /** Requests with the same message are one turn, however else they differ. */
  readonly message: string
  /** Everything that distinguishes requests, except the carrier of the key. */
  readonly content: string
  /** Where the request has its key: `body`, or the name of a header. */
  readonly carrier: string
  readonly stream: boolean
  /** The reply that ran or was replayed; null if it cannot be read. */
  readonly response: string | null
  readonly conversation: string | null
}

export type KeyHistory = readonly KeyedRequest[]

export const violations = {
  'no-run': 'every request was answered, and the turn ran for none of them',
  'second-run': 'the turn ran again while it ran already',
  'original-after-reply': 'the turn ran for a request that was sent after a reply had ended',
  'replay-before-run': 'a reply was replayed before any turn could have made it',
  'rival-served': 'two messages were both served under one key',
  'different-response': 'a replay has another response than the reply it repeats',
  'different-conversation': 'a replay has another conversation than the reply it repeats',
  'reply-of-another-key': 'a replay has the reply of another key',
  'in-progress-after-reply': 'the key was in progress for a request that was sent after a reply had ended',
  'in-progress-without-run': 'the key was in progress while no turn can have run',
  'conflict-without-rival': 'a conflict was returned although no other request can have occupied the key',
  'conflict-after-own-reply': 'a conflict was returned for the very request whose reply had ended',
  'uncertain-after-reply': 'the key was uncertain for a request that was sent after a reply had ended',
  'uncertain-without-loss': 'the key was uncertain though the answer of every turn is known',
} as const
export type ViolationName = keyof typeof violations

export interface Violation {
  readonly name: ViolationName
  /** The request that no order explains. */
  readonly at: KeyedRequest
  /** The requests that it contradicts. */
  readonly beside: KeyHistory
}

type Rule = (at: KeyedRequest, history: KeyHistory) => KeyHistory | null

export const withOutcome = (...kinds: readonly RequestOutcome[]) => {
  const set = new Set(kinds)
  return ({ outcome }: KeyedRequest): boolean => set.has(outcome)
}
const isRun = withOutcome('ran', 'begun')
const isReply = withOutcome('ran', 'replayed')
const isServed = withOutcome('ran', 'begun', 'replayed')
const occupies = withOutcome('ran', 'begun', 'lost', 'refused')
const completes = withOutcome('ran', 'begun', 'lost')
const loses = withOutcome('begun', 'lost')

const ended = (one: KeyedRequest, other: KeyedRequest): boolean => one.to < other.from
const meet = (one: KeyedRequest, other: KeyedRequest): boolean => !ended(one, other) && !ended(other, one)
const sentBefore = (one: KeyedRequest, at: KeyedRequest): boolean => one.from <= at.to
/** The list, or null (no violation) if it is empty. */
const some = (found: KeyHistory): KeyHistory | null => (found.length > 0 ? found : null)
/** An empty list, or null (no violation) if something explains the request. */
const unless = (explained: boolean): KeyHistory | null => (explained ? null : [])

/** Requests that a server may never treat as different. Another carrier changes the body. */
const isSame = (one: KeyedRequest, other: KeyedRequest): boolean =>
  one.content === other.content && one.carrier === other.carrier

const endedReplies = (at: KeyedRequest, history: KeyHistory): KeyHistory =>
  history.filter((one) => isReply(one) && ended(one, at))

const servedRivals = (at: KeyedRequest, history: KeyHistory): KeyHistory =>
  history.filter((one) => isServed(one) && one.message !== at.message)

const ownReplies = (at: KeyedRequest, history: KeyHistory): KeyHistory =>
  history.filter((one) => one.outcome === 'ran' && isSame(one, at) && ended(one, at))

/** One row for each violation that concerns single requests of one key. */
const rules: Record<
  Exclude<ViolationName, 'no-run' | 'reply-of-another-key'>,
  readonly [ReturnType<typeof withOutcome>, Rule]
> = {
  'second-run': [
    isRun,
    (at, history) =>
      some(
        history.filter(
          (one) => isRun(one) && one.message === at.message && isLater(at, one) && !ended(one, at),
        ),
      ),
  ],
  'original-after-reply': [
    isRun,
    (at, history) => some(endedReplies(at, history).filter(({ message }) => message === at.message)),
  ],
  'replay-before-run': [
    withOutcome('replayed'),
    (at, history) =>
      unless(
        servedRivals(at, history).length > 0 ||
          history.some((one) => completes(one) && one.message === at.message && sentBefore(one, at)),
      ),
  ],
  'rival-served': [
    isServed,
    // If its own message ran too, that run is reported, not its replay.
    (at, history) =>
      at.outcome === 'replayed' && history.some((one) => isRun(one) && one.message === at.message)
        ? null
        : some(servedRivals(at, history).filter((one) => isRival(at, one))),
  ],
  'different-response': [withOutcome('replayed'), differs('response')],
  'different-conversation': [withOutcome('replayed'), differs('conversation')],
  'in-progress-after-reply': [withOutcome('in-progress'), (at, history) => some(endedReplies(at, history))],
  'in-progress-without-run': [
    withOutcome('in-progress'),
    (at, history) => unless(history.some((one) => occupies(one) && meet(one, at))),
  ],
  'conflict-without-rival': [
    withOutcome('conflict'),
    (at, history) =>
      ownReplies(at, history).length > 0 ||
      history.some((one) => occupies(one) && !isSame(one, at) && sentBefore(one, at))
        ? null
        : history.filter((one) => one.outcome === 'begun' && isSame(one, at)),
  ],
  'conflict-after-own-reply': [
    withOutcome('conflict'),
    // If a rival was served too, that is reported instead.
    (at, history) => (servedRivals(at, history).length > 0 ? null : some(ownReplies(at, history))),
  ],
  'uncertain-after-reply': [withOutcome('uncertain'), (at, history) => some(endedReplies(at, history))],
  'uncertain-without-loss': [
    withOutcome('uncertain'),
    (at, history) => unless(history.some((one) => loses(one) && sentBefore(one, at))),
  ],
}

/** Of two runs, the one whose response ended first is the turn; the other one is reported. */
function isLater(at: KeyedRequest, one: KeyedRequest): boolean {
  return at.to > one.to || (at.to === one.to && at.id > one.id)
}

/** Of two messages that were served, the one that ran is the turn, else the one that was answered first. */
function isRival(at: KeyedRequest, one: KeyedRequest): boolean {
  return isRun(at) === isRun(one) ? isLater(at, one) : isRun(one)
}

/** Compared with the reply that ran or, if none was received, with the replay that was answered first. */
function differs(member: 'response' | 'conversation'): Rule {
  return (at, history) => {
    const known = history.filter((one) => isReply(one) && one[member] !== null && one.message === at.message)
    // A turn whose reply was cut off ran too, which is reported instead.
    if (
      history.some(({ outcome, message }) => outcome === 'begun' && message === at.message) &&
      known.some(isRun)
    )
      return null
    const runs = known.filter(({ outcome }) => outcome === 'ran')
    const originals = runs.length > 0 ? runs : known.toSorted((a, b) => a.to - b.to).slice(0, 1)
    if (at[member] === null || originals.some((one) => one[member] === at[member])) return null
    return some(originals)
  }
}

/** All requests that no order of events explains; none for an empty history. */
export function violationsOf(history: KeyHistory): readonly Violation[] {
  const [first] = history
  // If nothing ran, no response can be explained: report that once.
  if (first && !history.some(occupies)) return [{ name: 'no-run', at: first, beside: history.slice(1) }]
  return Object.entries(rules).flatMap(([name, [concerns, rule]]) =>
    history.filter(concerns).flatMap((at) => {
      const beside = rule(at, history)
      return beside ? [{ name: name as keyof typeof rules, at, beside }] : []
    }),
  )
}

/** Across several keys: replays that repeat the reply of another key instead of their own. */
export function foreignReplies(histories: readonly KeyHistory[]): readonly Violation[] {
  return histories.flatMap((history) => {
    const others = histories.filter((other) => other !== history).flat()
    return history.filter(withOutcome('replayed')).flatMap((at) => {
      if (at.response === null || history.some((one) => one.outcome === 'ran' && sameReply(one, at)))
        return []
      const beside = others.filter((one) => one.outcome === 'ran' && sameReply(one, at))
      return beside.length > 0 ? [{ name: 'reply-of-another-key' as const, at, beside }] : []
    })
  })
}

const sameReply = (one: KeyedRequest, other: KeyedRequest): boolean =>
  one.response === other.response && one.conversation === other.conversation

/** The history of each key among some exchanges: the outcome of every request with it, and its times. */
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
