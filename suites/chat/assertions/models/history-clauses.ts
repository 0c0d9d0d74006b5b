/** Which clause each violation of a history breaks, and when a history shows that a clause was obeyed. */
import type { ClauseId } from '../../../../spec/index.ts'
import type { SequenceJudge } from '../../../models/sequences.ts'
import type { Judgement } from '../../../scenario/scenario.ts'
import { every, inconclusive, notApplicable, pass, fail, given } from '../../../scenario/expect.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { memo } from '../../../wire/memo/memo.ts'
import {
  withOutcome,
  violations,
  foreignReplies,
  violationsOf,
  type KeyedRequest,
  type KeyHistory,
  type Violation,
  type ViolationName,
  historiesOf,
} from './history-rules.ts'
import { balanced, remaining, used, wereAdded } from '../../../assertions/reply.ts'
import { byKey, winnerOf } from '../race.ts'

type Breaks = (violation: Violation) => readonly ClauseId[]
const always =
  (...clauses: readonly ClauseId[]): Breaks =>
  () =>
    clauses

/**
 * The clause depends on how two requests that both ran differ. Those that differ in two respects count for neither
 * clause; a key that runs twice has other pairs that differ in one.
 */
function ranAgain({ at, beside }: Violation): readonly ClauseId[] {
  const twins = twinsOf(at, beside)
  if (twins.length > 0)
    return [[at, ...twins].some(({ outcome }) => outcome === 'begun') ? 'IDEM-ABORT-ONE-RUN' : noneRan(at)]
  if (beside.some(({ content }) => content === at.content)) return ['IDEM-RACE-CARRIERS']
  return beside.some(({ carrier }) => carrier === at.carrier) ? ['IDEM-OTHER-MODE'] : []
}

/** Identical requests with a key in the body; a key in a header is a question of carriers. */
const twinsOf = (at: KeyedRequest, others: KeyHistory): KeyHistory =>
  others.filter((one) => alike(one, at) && at.carrier === 'body')

const noneRan = ({ stream }: KeyedRequest): ClauseId => (stream ? 'IDEM-RACE-STREAM' : 'IDEM-RACE-ONE-RUN')

const breaks: Record<ViolationName, Breaks> = {
  'no-run': ({ at }) => [noneRan(at)],
  'second-run': ranAgain,
  'original-after-reply': (violation) => {
    const twins = twinsOf(violation.at, violation.beside)
    return twins.length > 0 ? [...ranAgain(violation), 'IDEM-REPLAY-AT-ONCE'] : ranAgain(violation)
  },
  'replay-before-run': ({ at }) => [noneRan(at)],
  'rival-served': ({ at, beside }) =>
    at.outcome === 'replayed' || beside.some((one) => one.carrier === at.carrier && one.stream === at.stream)
      ? ['IDEM-CONFLICT-STATUS']
      : [],
  'different-response': ({ at }) => [at.stream ? 'IDEM-STREAM-REPLAY-RESPONSE' : 'IDEM-REPLAY-RESPONSE'],
  'different-conversation': ({ at }) => [
    at.stream ? 'IDEM-STREAM-REPLAY-CONVERSATION' : 'IDEM-REPLAY-CONVERSATION',
  ],
  'reply-of-another-key': always('IDEM-RACE-KEYS'),
  // A different message has no replay to wait for.
  'in-progress-after-reply': ({ at, beside }) =>
    beside.some(({ content }) => content === at.content)
      ? ['IDEM-REPLAY-AT-ONCE', 'IDEM-IN-FLIGHT-OVERLAP']
      : ['IDEM-IN-FLIGHT-OVERLAP'],
  'in-progress-without-run': always('IDEM-IN-FLIGHT-OVERLAP'),
  // If the end of a turn is unknown, the conflict may have been returned while it ran or afterwards.
  'conflict-without-rival': ({ beside }) => (beside.length === 0 ? ['IDEM-RACE-OTHERS'] : []),
  'conflict-after-own-reply': always('IDEM-CONFLICT-UNCHANGED'),
  'uncertain-after-reply': always('IDEM-REPLAY-AT-ONCE'),
  'uncertain-without-loss': always('IDEM-RACE-OTHERS'),
}

const meet = (one: KeyedRequest, other: KeyedRequest): boolean => one.from < other.to && other.from < one.to
/** The response refers to another turn with the key: a second turn would show that nothing was recorded. */
const refersToTurn = withOutcome('replayed', 'in-progress', 'conflict', 'uncertain')
const alike = (one: KeyedRequest, other: KeyedRequest): boolean =>
  one.content === other.content && one.carrier === other.carrier

/**
 * For a pair of requests with one key: whether the clause concerns it, and whether it shows that the clause was
 * obeyed.
 */
interface Sight {
  kind: (one: KeyedRequest, other: KeyedRequest) => boolean
  shown: (one: KeyedRequest, other: KeyedRequest) => boolean
}

/** `one` ran, and the other request of this kind overlapped with it. */
function met(kind: Sight['kind']): Sight {
  return {
    kind: (one, other) => kind(one, other) && one.outcome === 'lost' && meet(one, other),
    shown: (one, other) =>
      kind(one, other) && one.outcome === 'ran' && refersToTurn(other) && meet(one, other),
  }
}

function replays(stream: boolean): Sight {
  return {
    kind: (one, other) => one.content === other.content && other.stream === stream && one.outcome === 'lost',
    shown: (one, other) => one.outcome === 'ran' && other.outcome === 'replayed' && other.stream === stream,
  }
}

const sights = {
  'IDEM-RACE-ONE-RUN': met((one, other) => alike(one, other) && !one.stream),
  'IDEM-RACE-STREAM': met((one, other) => alike(one, other) && one.stream),
  'IDEM-RACE-CARRIERS': met((one, other) => one.content === other.content && one.carrier !== other.carrier),
  'IDEM-RACE-OTHERS': met(alike),
  'IDEM-OTHER-MODE': met((one, other) => one.message === other.message && one.stream !== other.stream),
  'IDEM-CONFLICT-STATUS': met((one, other) => one.message !== other.message),
  'IDEM-CONFLICT-UNCHANGED': {
    kind: (one, other) => one.outcome === 'lost' && other.outcome === 'conflict',
    shown: (one, other) => one.outcome === 'replayed' && other.outcome === 'conflict' && other.to < one.from,
  },
  'IDEM-ABORT-ONE-RUN': {
    kind: (one, other) => one.outcome === 'begun' && other.outcome === 'lost',
    shown: (one, other) => one.outcome === 'begun' && one.content === other.content && refersToTurn(other),
  },
  'IDEM-IN-FLIGHT-OVERLAP': {
    kind: (one, other) => one.outcome === 'in-progress' && other.outcome === 'lost',
    shown: (one, other) => one.outcome === 'in-progress' && other.outcome === 'ran' && meet(one, other),
  },
  'IDEM-REPLAY-AT-ONCE': {
    kind: (one, other) => one.content === other.content && one.outcome === 'lost' && one !== other,
    shown: (one, other) => one.outcome === 'ran' && other.outcome === 'replayed' && one.to < other.from,
  },
  'IDEM-REPLAY-RESPONSE': replays(false),
  'IDEM-REPLAY-CONVERSATION': replays(false),
  'IDEM-STREAM-REPLAY-RESPONSE': replays(true),
  'IDEM-STREAM-REPLAY-CONVERSATION': replays(true),
} as const satisfies Partial<Record<ClauseId, Sight>>
export type HistoryClause = keyof typeof sights | 'IDEM-RACE-KEYS'

const words = ({ name, at, beside }: Violation): string => {
  const others = beside.map(({ id, outcome }) => `${id} (${outcome})`).join(', ')
  return `${name}: ${violations[name]}, exchange ${at.id} (${at.outcome})${others && ` beside ${others}`}`
}

/** Read once for all clauses. */
const judged = memo((exchanges: readonly Exchange[]) => {
  const histories = historiesOf(exchanges)
  const foreign = foreignReplies(histories)
  // The reply of another key also differs from the own one; report it once.
  const own = histories.flatMap(violationsOf).filter(({ at }) => foreign.every((found) => found.at !== at))
  return { histories, violations: [...foreign, ...own] }
})

/** Judges every key of the exchanges; passes if one of them shows that the clause was obeyed. */
export function keepsHistory(clause: HistoryClause): SequenceJudge {
  return (exchanges) => {
    const { histories, violations } = judged(exchanges)
    const against = violations.filter((found) => breaks[found.name](found).includes(clause))
    if (against.length > 0) return every(against, (violation) => failed(violation, histories))
    return clause === 'IDEM-RACE-KEYS' ? keysSeen(histories) : sightOf(histories, sights[clause])
  }
}

/** Cites what contradicts first, then the other requests with the key. */
function failed(violation: Violation, histories: readonly KeyHistory[]): Judgement {
  const expected = 'a history that some order of events explains'
  const { at, beside } = violation
  const others = histories.find((history) => history.includes(at)) ?? []
  const cited = [...new Set([at, ...beside, ...others])].map(({ id, outcome }) => ({
    exchange: id,
    as: outcome,
  }))
  return { is: 'fail', expected, got: words(violation), exchange: at.id, cited }
}

function keysSeen(histories: readonly KeyHistory[]): Judgement {
  const ran = histories.filter((history) => history.some(({ outcome }) => outcome === 'ran'))
  const again = ran.filter((history) => history.some(({ outcome }) => outcome === 'replayed'))
  return ran.length > 1 && again.length > 0 ? pass : notApplicable('there was only one key')
}

/** Not applicable if no such pair was sent, inconclusive if one was but a response is missing. */
function sightOf(histories: readonly KeyHistory[], { kind, shown }: Sight): Judgement {
  const some = (holds: Sight['kind']): boolean =>
    histories.some((history) =>
      history.some((one) => history.some((other) => one !== other && holds(one, other))),
    )
  if (some(shown)) return pass
  return some(kind)
    ? inconclusive('of requests of this kind a response is missing')
    : notApplicable('no two requests of this kind overlapped')
}

export function historyJudges<const C extends HistoryClause>(
  ...clauses: readonly C[]
): Readonly<Record<C, SequenceJudge>> {
  const entries = clauses.map((clause) => [clause, keepsHistory(clause)] as const)
  return Object.fromEntries(entries) as Record<C, SequenceJudge>
}

/** Name of the turns around a race in the scenario: two before it, to show that balances add up, and one after. */
export const meter = 'meter'
const tolerance = 1e-6

/** More was charged than one turn for each key. */
export const chargedOnce: SequenceJudge = (course) =>
  ofRace(course, (surplus, after) =>
    surplus > tolerance ? fail('one turn of each key charged', `${surplus} credits more`, after) : pass,
  )

/** Less was charged. Only concurrent turns can lose a charge. */
export const eachCharged: SequenceJudge = (course) =>
  ofRace(course, (surplus, after, keys) => {
    if (surplus < -tolerance) return fail('every turn charged', `${-surplus} credits too few`, after)
    return keys > 1 ? pass : notApplicable('only one turn ran')
  })

/** `surplus`: credits that are missing although no turn reports them as used. */
function ofRace(
  course: readonly Exchange[],
  judge: (surplus: number, after: Exchange, keys: number) => Judgement,
): Judgement {
  const [control, before, after] = course.filter(({ name }) => name === meter)
  const race = course.filter(({ name }) => name !== meter)
  if (!control || !before || !after) return inconclusive('the turns around the race did not run')
  if (historiesOf(race).some(saysMore))
    return notApplicable('other checks judge whether replays and conflicts are charged')
  return given(balanced(control, before), () => {
    const keys = byKey(race)
    const spent = [...keys.map((same) => usedBy(winnerOf(same))), used(after)]
    const [start, end] = [remaining(before), remaining(after)]
    if (start === null || end === null || spent.includes(null))
      return inconclusive('a turn was not seen to run, or has no number for its credits')
    const expected = spent.reduce<number>((sum, amount) => sum + (amount ?? 0), 0)
    if (wereAdded(start, end, expected)) return inconclusive('credits were added meanwhile')
    return judge(Math.round((start - end - expected) * 1e6) / 1e6, after, keys.length)
  })
}

const usedBy = (winner: Exchange | null): number | null => (winner ? used(winner) : null)

function saysMore(history: KeyHistory): boolean {
  return history.some(({ outcome }) => outcome !== 'ran' && outcome !== 'in-progress')
}
