/** Which promise each violation of a history breaks, and when a history shows that a promise was kept. */
import type { ClauseId } from '../../../../spec/index.ts'
import type { CourseJudge } from '../../../models/sequences.ts'
import type { Judgement } from '../../../scenario/judgement.ts'
import { every, inconclusive, notApplicable, pass } from '../../../scenario/expect.ts'
import {
  among,
  violations,
  foreignReplies,
  violationsOf,
  type Heard,
  type History,
  type Violation,
  type ViolationName,
} from './history-rules.ts'
import { historiesOf } from './history.ts'

type Breaks = (violation: Violation) => readonly ClauseId[]
const always =
  (...clauses: readonly ClauseId[]): Breaks =>
  () =>
    clauses

/**
 * Told by what sets two requests apart that both ran: the least there is. Those that differ in two things tell of
 * neither; of a key that runs twice there are others that differ in one.
 */
function ranAgain({ at, beside }: Violation): readonly ClauseId[] {
  const twins = twinsOf(at, beside)
  if (twins.length > 0)
    return [[at, ...twins].some(({ told }) => told === 'begun') ? 'IDEM-ABORT-ONE-RUN' : noneRan(at)]
  if (beside.some(({ content }) => content === at.content)) return ['IDEM-RACE-CARRIERS']
  return beside.some(({ carrier }) => carrier === at.carrier) ? ['IDEM-OTHER-MODE'] : []
}

/** What differs in nothing, with a key in the body; in a header it is a matter of carriers. */
const twinsOf = (at: Heard, others: History): History =>
  others.filter((one) => alike(one, at) && at.carrier === 'body')

const noneRan = ({ stream }: Heard): ClauseId => (stream ? 'IDEM-RACE-STREAM' : 'IDEM-RACE-ONE-RUN')

const breaks: Record<ViolationName, Breaks> = {
  'no-run': ({ at }) => [noneRan(at)],
  'second-run': ranAgain,
  'original-after-reply': (violation) => {
    const twins = twinsOf(violation.at, violation.beside)
    return twins.length > 0 ? [...ranAgain(violation), 'IDEM-REPLAY-AT-ONCE'] : ranAgain(violation)
  },
  'replay-before-run': ({ at }) => [noneRan(at)],
  'rival-served': ({ at, beside }) =>
    at.told === 'replayed' || beside.some((one) => one.carrier === at.carrier && one.stream === at.stream)
      ? ['IDEM-CONFLICT-STATUS']
      : [],
  'different-response': ({ at }) => [at.stream ? 'IDEM-STREAM-REPLAY-RESPONSE' : 'IDEM-REPLAY-RESPONSE'],
  'different-conversation': ({ at }) => [
    at.stream ? 'IDEM-STREAM-REPLAY-CONVERSATION' : 'IDEM-REPLAY-CONVERSATION',
  ],
  'reply-of-another-key': always('IDEM-RACE-KEYS'),
  // Another message waits for no replay.
  'in-progress-after-reply': ({ at, beside }) =>
    beside.some(({ content }) => content === at.content)
      ? ['IDEM-REPLAY-AT-ONCE', 'IDEM-IN-FLIGHT-OVERLAP']
      : ['IDEM-IN-FLIGHT-OVERLAP'],
  'in-progress-without-run': always('IDEM-IN-FLIGHT-OVERLAP'),
  // Beside a turn whose end nobody saw it may have been said while it ran, or after it.
  'conflict-without-rival': ({ beside }) => (beside.length === 0 ? ['IDEM-RACE-OTHERS'] : []),
  'conflict-after-own-reply': always('IDEM-CONFLICT-UNCHANGED'),
  'uncertain-after-reply': always('IDEM-REPLAY-AT-ONCE'),
  'uncertain-without-loss': always('IDEM-RACE-OTHERS'),
}

const meet = (one: Heard, other: Heard): boolean => one.from < other.to && other.from < one.to
/** Told something of the turn of another: a second one beside it would show that nothing was kept. */
const isTold = among('replayed', 'in-progress', 'conflict', 'uncertain')
const alike = (one: Heard, other: Heard): boolean =>
  one.content === other.content && one.carrier === other.carrier

/** Of two requests of a key: whether they are of the kind that it is about, and what shows that it was kept. */
interface Sight {
  kind: (one: Heard, other: Heard) => boolean
  shown: (one: Heard, other: Heard) => boolean
}

/** `one` ran, and the other, of this kind, met it. */
function met(kind: Sight['kind']): Sight {
  return {
    kind: (one, other) => kind(one, other) && one.told === 'lost' && meet(one, other),
    shown: (one, other) => kind(one, other) && one.told === 'ran' && isTold(other) && meet(one, other),
  }
}

function replays(stream: boolean): Sight {
  return {
    kind: (one, other) => one.content === other.content && other.stream === stream && one.told === 'lost',
    shown: (one, other) => one.told === 'ran' && other.told === 'replayed' && other.stream === stream,
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
    kind: (one, other) => one.told === 'lost' && other.told === 'conflict',
    shown: (one, other) => one.told === 'replayed' && other.told === 'conflict' && other.to < one.from,
  },
  'IDEM-ABORT-ONE-RUN': {
    kind: (one, other) => one.told === 'begun' && other.told === 'lost',
    shown: (one, other) => one.told === 'begun' && one.content === other.content && isTold(other),
  },
  'IDEM-IN-FLIGHT-OVERLAP': {
    kind: (one, other) => one.told === 'in-progress' && other.told === 'lost',
    shown: (one, other) => one.told === 'in-progress' && other.told === 'ran' && meet(one, other),
  },
  'IDEM-REPLAY-AT-ONCE': {
    kind: (one, other) => one.content === other.content && one.told === 'lost' && one !== other,
    shown: (one, other) => one.told === 'ran' && other.told === 'replayed' && one.to < other.from,
  },
  'IDEM-REPLAY-RESPONSE': replays(false),
  'IDEM-REPLAY-CONVERSATION': replays(false),
  'IDEM-STREAM-REPLAY-RESPONSE': replays(true),
  'IDEM-STREAM-REPLAY-CONVERSATION': replays(true),
} as const satisfies Partial<Record<ClauseId, Sight>>
export type HistoryClause = keyof typeof sights | 'IDEM-RACE-KEYS'

const words = ({ name, at, beside }: Violation): string => {
  const others = beside.map(({ id, told }) => `${id} (${told})`).join(', ')
  return `${name}: ${violations[name]}, exchange ${at.id} (${at.told})${others && ` beside ${others}`}`
}

/** Judges every key among the exchanges; passes where one of them shows that the promise was kept. */
export function keepsHistory(clause: HistoryClause): CourseJudge {
  return (exchanges) => {
    const histories = historiesOf(exchanges)
    const foreign = foreignReplies(histories)
    // What a key got of another differs from its own reply, of course.
    const own = histories.flatMap(violationsOf).filter(({ at }) => foreign.every((found) => found.at !== at))
    const against = [...foreign, ...own].filter((found) => breaks[found.name](found).includes(clause))
    if (against.length > 0) return every(against, told)
    return clause === 'IDEM-RACE-KEYS' ? keysSeen(histories) : sightOf(histories, sights[clause])
  }
}

function told(violation: Violation): Judgement {
  const expected = 'a history that some order of events explains'
  return { is: 'broken', expected, got: words(violation), exchange: violation.at.id }
}

function keysSeen(histories: readonly History[]): Judgement {
  const ran = histories.filter((history) => history.some(({ told }) => told === 'ran'))
  const again = ran.filter((history) => history.some(({ told }) => told === 'replayed'))
  return ran.length > 1 && again.length > 0 ? pass : notApplicable('there was only one key')
}

/** Where nothing of the kind was drawn the course says nothing; where answers are missing it could have. */
function sightOf(histories: readonly History[], { kind, shown }: Sight): Judgement {
  const some = (holds: Sight['kind']): boolean =>
    histories.some((history) =>
      history.some((one) => history.some((other) => one !== other && holds(one, other))),
    )
  if (some(shown)) return pass
  return some(kind)
    ? inconclusive('of requests of this kind an answer is missing')
    : notApplicable('no two requests of this kind met')
}

/** The judges of a scenario, one for each of these clauses. */
export function historyJudges<const C extends HistoryClause>(
  ...clauses: readonly C[]
): Readonly<Record<C, CourseJudge>> {
  const entries = clauses.map((clause) => [clause, keepsHistory(clause)] as const)
  return Object.fromEntries(entries) as Record<C, CourseJudge>
}
