/** Judgements on how often a turn ran: what a second request with the key of a first one may and may not meet. */
import type { ChatErrorCode } from '../../spec/index.ts'
import type { Judgement } from '../scenario/scenario.ts'
import type { Exchange } from '../wire/exchange.ts'
import { answered, code, codesOf, shown, status, statusOf, unmarked } from './answer.ts'
import { all, fail, check, given, inconclusive, observed, pass, inTurn, need } from '../scenario/expect.ts'
import { canonical, fieldOf, fields, isFresh, isReplay, replayOf, remaining, used } from './reply.ts'
import { accepts, asked, replied } from './turn.ts'

/** The request was accepted as a turn. A success of another kind than 200 is judged where the status is the subject. */
export function taken(exchange: Exchange): Judgement {
  const got = statusOf(exchange)
  if (got > 200 && got < 300)
    return inconclusive(`\`${exchange.name}\` was answered ${got}`, status(exchange, 200))
  return accepts(exchange)
}

/** A turn ran for this request: it was accepted, and is no replay. */
export function ran(exchange: Exchange): Judgement {
  return inTurn(taken(exchange), () => unmarked(exchange))
}

/**
 * A 200 that is neither marked as a replay nor the very reply that was given before. A conversation that no
 * request named is made by the turn, and what is left goes down with each: where they come again, the turn did
 * not run again, and only the mark is missing, which is judged where it is the subject.
 */
export function isAnotherRun(original: Exchange, other: Exchange): boolean {
  return isFresh(other) && !sameReply(original, other)
}

function sameReply(one: Exchange, other: Exchange): boolean {
  const [made, again] = [replyOf(one), replyOf(other)]
  if (made === null || made !== again) return false
  const named = [one, other].some((exchange) => asked(exchange)?.['conversation_id'] !== undefined)
  if (!named || ((used(one) ?? 0) > 0 && remaining(one) === remaining(other))) return true
  const stored = Object.keys(Object(fieldOf(one, 'customer_message')) as object)
  return stored.some((name) => /(?:^|_)(?:id|at|time|timestamp)$/i.test(name)) && sameFields(one, other)
}

const final = ['response', 'conversation_id', 'credits_used', 'presentation', 'customer_message']
const sameFields = (one: Exchange, other: Exchange): boolean =>
  final.every((name) => canonical(fieldOf(one, name)) === canonical(fieldOf(other, name)))

/** What is known of a 200 without the replay header: the same fields may also be those of a second turn. */
export function unmarkedAs(original: Exchange, other: Exchange): string {
  const isSame = sameFields(original, other) && remaining(original) === remaining(other)
  return isSame ? '200 with the same reply, without the replay header' : 'a second turn: 200, not a replay'
}

/** Text and conversation of a reply as one text; null where one of them is missing. */
export function replyOf(exchange: Exchange): string | null {
  const { response, conversation_id: id } = fields(exchange) ?? {}
  return typeof response === 'string' && typeof id === 'string' ? `${id} ${response}` : null
}

/** A key that is still in progress once its answer has come is judged where that is the subject. */
export function notLagging(exchange: Exchange): Judgement {
  return codesOf(exchange).includes('REQUEST_IN_PROGRESS')
    ? inconclusive(`\`${exchange.name}\` was refused as still in progress`, lagging(exchange))
    : pass
}

export function lagging(exchange: Exchange): Judgement {
  return fail('a replay', `${statusOf(exchange)} REQUEST_IN_PROGRESS`, exchange)
}

/**
 * The same request again was answered from the record of a turn that was seen to run. What the record holds is
 * judged where it is the subject.
 */
export function replayed(original: Exchange, ...again: readonly Exchange[]): Judgement {
  return given(ran(original), () => all(...again.map((one) => fromTheRecord(original, one))))
}

/** As `replayed`, where the original may itself be a replay: who ran the turn was not seen, or went away. */
export function fromTheRecord(original: Exchange, again: Exchange): Judgement {
  return given(notLagging(again), () =>
    inTurn(status(again, 200), () => {
      if (isAnotherRun(original, again)) return fail('a replay', unmarkedAs(original, again), again)
      return fields(again) ? pass : fail('the final fields of the original', shown(again), again)
    }),
  )
}

/**
 * What lies between the identical request and a different message: it may be replayed, be a conflict or be
 * refused in another way, but a second turn never runs.
 */
export function noSecondRun(original: Exchange, ...others: readonly Exchange[]): Judgement {
  return given(ran(original), () => all(...others.map((other) => noRun(original, other))))
}

/** Of a request and the very same one again at most one ran, where it is open whether it is accepted at all. */
export function neverTwice(first: Exchange, again: Exchange): Judgement {
  if (isFresh(first)) return noSecondRun(first, again)
  return all(...[first, again].map((one) => given(answered(one), () => noError(one))))
}

function noError(exchange: Exchange): Judgement {
  const got = statusOf(exchange)
  return got < 500 ? pass : inconclusive(`\`${exchange.name}\` ended in a server error, ${got}`)
}

function noRun(original: Exchange, other: Exchange): Judgement {
  return given(answered(other), () => {
    const got = statusOf(other)
    if (isAnotherRun(original, other))
      return fail('a replay or a refusal', unmarkedAs(original, other), other)
    if (got === 200) return pass
    if (got < 400) return fail('a replay or a refusal', `status ${got}`, other)
    return noError(other)
  })
}

/** Refused with this status and this code, both of which are the subject. */
export function refusedAs(exchange: Exchange, expected: number, named: ChatErrorCode): Judgement {
  return inTurn(status(exchange, expected), code(exchange, named))
}

/**
 * A different message with a used key. The original is the accepted twin. Once it was replayed to `again`, its turn runs
 * no more, and a key that is said to be in progress fails.
 */
export function conflict(original: Exchange, others: readonly Exchange[], again?: Exchange): Judgement {
  const isOver = again !== undefined && isReplay(again)
  const one = (other: Exchange): Judgement =>
    given(isOver ? pass : notLagging(other), () => refusedAs(other, 409, 'IDEMPOTENCY_CONFLICT'))
  return given(replied(original), () => all(...others.map(one)))
}

/** The reply of one request is not that of another: it may be a turn of its own, or any refusal. */
export function notTheReplyOf(original: Exchange, other: Exchange): Judgement {
  return inTurn(need(replied(original)), need(answered(other)), () => {
    const taken = replayOf(original, other).is === 'pass'
    const got = `the reply of \`${original.name}\``
    return check(!taken, 'a reply of its own, or a refusal', got, other)
  })
}

/** Which way a target took, in a few words that are the same in every run. */
export function way(exchange: Exchange): string | null {
  if (answered(exchange, 402).is !== 'pass') return null
  const got = statusOf(exchange)
  if (got === 200) return isReplay(exchange) ? 'replayed' : 'ran'
  return [`refused with ${got}`, ...new Set(codesOf(exchange))].join(' ')
}

/** Records which ways a target took, each under the name of what was done, once a control was accepted. */
export function ways(control: Exchange, taken: Readonly<Record<string, Exchange>>): Judgement {
  return given(replied(control), () => {
    const outcomes = Object.entries(taken).flatMap(([name, exchange]) => {
      const seen = way(exchange)
      return seen === null ? [] : [`${name}: ${seen}`]
    })
    return outcomes.length > 0 ? observed(outcomes.join('; ')) : inconclusive('none of them was answered')
  })
}
