/**
 * Rules over all exchanges with one idempotency key, by the times of sending and response. The server acted between
 * the two, so a rule fails only if no order of events explains the responses.
 */
import type { Judgement } from '../../scenario/scenario.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { readSseBody } from '../../wire/sse.ts'
import { answered, code, codesOf, refused, status, statusOf } from '../../assertions/answer.ts'
import {
  all,
  citing,
  fail,
  check,
  every,
  given,
  inconclusive,
  notApplicable,
  pass,
  inTurn,
} from '../../scenario/expect.ts'
import { fromTheRecord, isAnotherRun, lagging, replayed, replyOf } from '../../assertions/once.ts'
import {
  field,
  fields,
  isFresh,
  isReplay,
  isStream,
  markedReplay,
  sameField,
} from '../../assertions/reply.ts'
import { asked, replied } from '../../assertions/turn.ts'

type Exchanges = readonly Exchange[]

/** The turns that ran, in the order in which their responses ended. */
export function runsOf(same: Exchanges): Exchanges {
  const runs: Exchange[] = []
  for (const exchange of same.toSorted((a, b) => a.endedAt - b.endedAt))
    if (showsRun(exchange) && runs.every((run) => isAnotherRun(run, exchange))) runs.push(exchange)
  return runs
}

/** A stream without final fields shows no turn, unless it was cut off after a first event; a heartbeat is none. */
export function showsRun(exchange: Exchange): boolean {
  if (!isFresh(exchange)) return false
  if (exchange.failure === null) return fields(exchange) !== null
  const { lines } = readSseBody(exchange)
  return !isStream(exchange) || lines.some((line) => line.kind === 'field' && line.name === 'data')
}

/** The request for which the turn ran: of several, the one whose response ended first. */
export function winnerOf(same: Exchanges): Exchange | null {
  return runsOf(same)[0] ?? null
}

/** Both were in flight at one moment. A request whose end is unknown may still be in flight. */
export function overlap(a: Exchange, b: Exchange): boolean {
  return a.sentAt < end(b) && b.sentAt < end(a)
}

function end(exchange: Exchange): number {
  return endIsKnown(exchange) ? exchange.endedAt : Infinity
}

/** If a request was sent twice, the outcome of the first sending is unknown. */
export function endIsKnown({ failure, resent }: Exchange): boolean {
  return failure === null && resent !== true
}

const says = (exchange: Exchange, expected: string): boolean =>
  statusOf(exchange) !== 200 && codesOf(exchange).includes(expected)
const inProgress = (exchange: Exchange): boolean => says(exchange, 'REQUEST_IN_PROGRESS')
const ids = (exchanges: Exchanges): string => exchanges.map(({ id }) => id).join(', ')

export function atMostOneRun(same: Exchanges): Judgement {
  const runs = runsOf(same)
  if (runs.length <= 1) return pass
  const repeated = same.find((one) =>
    same.some((other) => other !== one && isFresh(one) && isFresh(other) && !isAnotherRun(other, one)),
  )
  // Where replays are not marked, a whole reply may be that of the turn whose stream was cut.
  if (repeated && runs.filter(fields).length <= 1)
    return inconclusive('replays are not marked, so a second turn looks like one', markedReplay(repeated))
  const got = `${runs.length} turns: exchanges ${ids(runs)} are no replays`
  const failure = fail('one turn that ran', got, runs[1])
  const roles = runs.map((run, at) => [run, at === 0 ? 'first run' : 'run again'] as const)
  return citing(failure, ...roles)
}

/** Exactly one turn runs. Conclusive only if requests overlapped and no relevant response is missing. */
export function oneRun(same: Exchanges): Judgement {
  return inTurn(atMostOneRun(same), () => {
    const lost = same.find((exchange) => exchange.failure || statusOf(exchange) === 500)
    if (lost) return inconclusive(`what became of \`${lost.name}\` (exchange ${lost.id}) is not known`)
    const winner = winnerOf(same)
    if (!winner) return nobodyRan(same)
    return given(replied(winner), () => {
      const met = same.some(
        (other) => other !== winner && answered(other).is === 'pass' && overlap(winner, other),
      )
      return met ? pass : inconclusive('no two requests were in flight at once')
    })
  })
}

/** A success of another kind than 200 is judged where the status is the subject. */
const noTurn = (because: string, same: Exchanges): Judgement =>
  inconclusive(
    because,
    every(
      same.filter((one) => statusOf(one) < 300),
      (one) => status(one, 200),
    ),
  )

function nobodyRan(same: Exchanges): Judgement {
  const finished = same.filter((exchange) => answered(exchange).is === 'pass')
  const explained =
    finished.length > 0 && finished.every((one) => statusOf(one) === 409 || fields(one) !== null)
  if (!explained || finished.length < same.length) return noTurn('no turn was seen to run', finished)
  const counts = `${finished.filter(isReplay).length} replays and ${finished.filter((one) => statusOf(one) === 409).length} refusals`
  return fail('one turn that ran', `none: ${counts}`, finished[0])
}

/** Requests that did not win are refused as in progress, or replayed. */
export function othersWaitOrReplay(same: Exchanges): Judgement {
  return given(oneRun(same), () => {
    const winner = winnerOf(same)
    const others = same.filter((exchange) => exchange !== winner && answered(exchange).is === 'pass')
    return every(others, (other) => {
      if (statusOf(other) === 200 && winner) return replayed(winner, other)
      const named = statusOf(other) < 500 && codesOf(other).includes('REQUEST_IN_PROGRESS')
      return check(
        named,
        'a replay, or REQUEST_IN_PROGRESS',
        `${statusOf(other)} ${codesOf(other).join(' ')}`,
        other,
      )
    })
  })
}

/** A request sent after a reply had ended is replayed: no new turn runs, and the key is no longer in progress. */
export function replayAfterReply(same: Exchanges): Judgement {
  const replies = same.filter((exchange) => statusOf(exchange) === 200 && !exchange.failure)
  const first = replies.toSorted((a, b) => a.endedAt - b.endedAt)[0]
  const later = same.filter((exchange) => first && exchange.sentAt > first.endedAt)
  const finished = later.filter((exchange) => answered(exchange).is === 'pass')
  if (!first || finished.length === 0) return noTurn('nothing was sent after the reply had ended', same)
  return given(replied(first), () =>
    every(finished, (other) => {
      if (inProgress(other)) return lagging(other)
      if (statusOf(other) === 200) return fromTheRecord(first, other)
      return inconclusive(`\`${other.name}\` was answered ${statusOf(other)}`)
    }),
  )
}

export function replaysEqual(same: Exchanges, name: 'response' | 'conversation_id'): Judgement {
  const winner = winnerOf(same)
  const replays = same.filter(isReplay)
  if (!winner) return noTurn('there is no reply', same)
  const [other] = same.filter((one) => one !== winner && statusOf(one) === 200)
  if (replays.length === 0)
    return inconclusive(
      'no response has the replay header, so there are no replays to compare',
      other && markedReplay(other),
    )
  return given(all(atMostOneRun(same), field(winner, name, 'string')), () =>
    every(replays, (replay) => sameField(winner, replay, name)),
  )
}

/**
 * The key is in progress only while the turn may run: from the first request sent to the end of the reply. A quick
 * turn may end before any duplicate is processed, so no such response is required.
 */
export function progressOnlyWhileRunning(same: Exchanges): Judgement {
  const refusals = same.filter(inProgress)
  if (refusals.length === 0)
    return same.some(isReplay)
      ? notApplicable('every duplicate was answered from the record')
      : inconclusive('nothing was refused as in progress')
  const runners = [...runsOf(same), ...same.filter((exchange) => !endIsKnown(exchange))]
  if (runners.length === 0) return noTurn('the turn itself was not seen', same)
  return every(refusals, (refusal) =>
    check(
      runners.some((runner) => overlap(runner, refusal)),
      'REQUEST_IN_PROGRESS only while the turn runs',
      `exchange ${refusal.id} was refused so while exchange ${ids(runners)} was not under way`,
      refusal,
    ),
  )
}

/** After the turn of the winning message has ended, the other message is refused with 409; until then with any 4xx. */
export function otherMessageRefused(sameKey: Exchanges): Judgement {
  const winner = winnerOf(sameKey)
  if (!winner) return noTurn('no turn was seen to run', sameKey)
  const own = sameKey.filter((exchange) => messageOf(exchange) === messageOf(winner))
  const rivals = sameKey.filter((exchange) => !own.includes(exchange))
  return given(all(replied(winner), atMostOneRun(own)), () => {
    const finished = rivals.filter((exchange) => answered(exchange).is === 'pass')
    return every(finished, (rival) => (rival.sentAt > winner.endedAt ? status(rival, 409) : refused(rival)))
  })
}

/** After the turn of the winning message has ended, the refusal of the other message names the conflict. */
export function otherMessageConflicts(sameKey: Exchanges): Judgement {
  return given(otherMessageRefused(sameKey), () => {
    const [winner, refusals] = [winnerOf(sameKey), sameKey.filter((exchange) => statusOf(exchange) === 409)]
    const late = refusals.filter(
      (rival) => winner && messageOf(rival) !== messageOf(winner) && rival.sentAt > winner.endedAt,
    )
    if (late.length === 0)
      return inconclusive('the other message was not sent again after the turn had ended')
    return every(late, (rival) => code(rival, 'IDEMPOTENCY_CONFLICT'))
  })
}

const messageOf = (exchange: Exchange): unknown => asked(exchange)?.['message']

/** Requests by their key, wherever they carry it, in the order first sent. */
export function byKey(exchanges: Exchanges): readonly Exchanges[] {
  return [...Map.groupBy(exchanges, keyOfRequest).values()]
}

/** Judges each key separately: the first request with it, and the others. */
export function eachKey(
  exchanges: Exchanges,
  judge: (first: Exchange, ...rest: Exchanges) => Judgement,
): Judgement {
  return every(byKey(exchanges), ([first, ...rest]) =>
    first && rest.length > 0 ? judge(first, ...rest) : inconclusive('a key was used only once'),
  )
}

/** The key of a request: in its body, else in one of the two headers. */
export function keyOfRequest(exchange: Exchange): string {
  const inBody = asked(exchange)?.['idempotency_key']
  if (typeof inBody === 'string') return inBody
  const inHeader = exchange.request.headers.find(([name]) => /^(?:x-)?idempotency-key$/i.test(name))
  return inHeader?.[1] ?? ''
}

/** No key returned the reply of another: neither turns that ran nor replays. */
export function repliesApart(groups: readonly Exchanges[]): Judgement {
  const owners = new Map<unknown, Exchanges>()
  for (const same of groups) {
    const winner = winnerOf(same)
    const made = winner && replyOf(winner)
    if (!made) return inconclusive('a key was not seen to run its turn')
    // If another key has the reply too, the failure is reported there.
    owners.set(made, same)
  }
  if (groups.length < 2) return inconclusive('there was only one key')
  return every(groups.flat(), (exchange) => {
    const owner = owners.get(replyOf(exchange))
    return check(!owner || owner.includes(exchange), 'the reply of its own key', 'that of another', exchange)
  })
}
