/** Judgements on what a receiver answered. */
import { joined } from '../../bundle/chunks.ts'
import { limits } from '../../spec/index.ts'
import type { Context, Judgement } from '../scenario/scenario.ts'
import { answered, statusOf } from '../assertions/answer.ts'
import {
  all,
  fail,
  check,
  citing,
  given,
  inconclusive,
  notApplicable,
  pass,
  warn,
} from '../scenario/expect.ts'
import { identifiersIn, type Exchange } from '../wire/exchange.ts'

const isAccepted = (exchange: Exchange): boolean => statusOf(exchange) >= 200 && statusOf(exchange) < 300
const mostAttempts: number = limits.webhookAttempts
const named = ({ name }: Exchange): string => `\`${name}\``

/** A status is enough: the body of the response is not judged. */
const gotAnyStatus = (exchange: Exchange): Judgement =>
  exchange.response?.complete === false ? pass : answered(exchange, 429)

/** One for the rate says nothing of the delivery. */
export function gotStatus(exchange: Exchange): Judgement {
  return statusOf(exchange) === 429
    ? inconclusive(`${named(exchange)} got 429 (rate limited); see --requests-per-minute`)
    : gotAnyStatus(exchange)
}

/** It was answered 2xx. No whole answer is no verdict, for a network may be at fault, but where it recurs. */
export function accepted(exchange: Exchange): Judgement {
  const expected = `a status from 200 to 299 for ${named(exchange)}`
  const drops = `the connection dropped without an answer in each of ${exchange.recurred} attempts, while deliveries between them were accepted`
  if (exchange.recurred) return fail(expected, drops, exchange)
  return given(gotStatus(exchange), () =>
    check(isAccepted(exchange), expected, `status ${statusOf(exchange)}`, exchange),
  )
}

const dropped = 'the connection dropped without an answer: it may have crashed'
/** A refused connection says nothing of the delivery, although a kept one may have been reset before it. */
export const isDropped = ({ failure, response }: Exchange): boolean => !response && failure?.kind === 'reset'

/**
 * Anything but 2xx refuses; so does a 429, where genuine deliveries of the scenario are accepted, which callers see to. A
 * server error does so by accident, and a connection that is dropped says nothing.
 */
export function notAccepted(exchange: Exchange): Judgement {
  const refusal = `a refusal of ${named(exchange)}`
  if (isDropped(exchange)) return warn(refusal, dropped, exchange)
  return given(gotAnyStatus(exchange), () => {
    const got = `status ${statusOf(exchange)}`
    if (isAccepted(exchange)) return fail(refusal, got, exchange)
    return statusOf(exchange) >= 500 ? warn(`${refusal} that is no server error`, got, exchange) : pass
  })
}

export function answered401(exchange: Exchange): Judgement {
  const expected = `status 401 for ${named(exchange)}`
  if (isDropped(exchange)) return fail(expected, dropped, exchange)
  return given(gotStatus(exchange), () => {
    if (isAccepted(exchange)) return notApplicable(`${named(exchange)} was accepted`)
    return check(statusOf(exchange) === 401, expected, `status ${statusOf(exchange)}`, exchange)
  })
}

/**
 * After what came before it: of one or two tries, the last counts. Notes: the delivery that ended its process, in
 * words, its exchange and its role.
 */
export function stillAccepts(
  tries: readonly Exchange[],
  { endedAfter, fatal, role }: Context['notes'],
): Judgement {
  const last = tries.at(-1)
  if (!last) return inconclusive('no genuine delivery came after the others')
  if (typeof fatal !== 'number') return accepted(last)
  const goesOn = 'a receiver that goes on after what it was sent'
  return citing(fail(goesOn, `its process ended after ${endedAfter}`, last), [{ id: fatal }, `${role}`])
}

/** Well within ten seconds; what an answer takes beyond that, the sender no longer waits for. */
export function quick(exchange: Exchange): Judgement {
  const seconds = (Math.max(exchange.response?.at ?? 0, exchange.endedAt) - exchange.sentAt) / 1000
  const late = `${seconds.toFixed(1)} s`
  if (exchange.failure?.kind === 'timeout')
    return fail('an answer within ten seconds', `none in ${late}`, exchange)
  return given(gotStatus(exchange), () =>
    seconds > 10
      ? fail('an answer within ten seconds', late, exchange)
      : { is: 'pass', note: `answered in ${late}` },
  )
}

/** What no answer within it makes a failure: beyond ten seconds by as much as clocks and networks may take. */
const neverMs = 14_500

const isNever = ({ failure, endedAt, sentAt }: Exchange): boolean =>
  failure?.kind === 'timeout' && endedAt - sentAt >= neverMs

/** A delivery as its sender makes it, up to three attempts: one of them is answered 2xx, before the timeout. */
export function delivered(attempts: readonly Exchange[]): Judgement {
  const last = attempts.at(-1)
  if (!last) return inconclusive('nothing was delivered')
  if (attempts.length < mostAttempts || !attempts.every(isNever)) return accepted(last)
  const seconds = ((last.endedAt - last.sentAt) / 1000).toFixed(1)
  return fail(
    `an answer within about ten seconds to one of ${mostAttempts} attempts`,
    `none within ${seconds} s to any of them`,
    last,
  )
}

export const refusedSignature = (exchange: Exchange): boolean => [400, 401, 403].includes(statusOf(exchange))

/** No response in time; another attempt may get one. */
export const unanswered = ({ failure }: Exchange): boolean => failure?.kind === 'timeout'

export const timesWords = (count: number): string =>
  ['not at all', 'once', 'twice'][count] ?? `${count} times`

const seen = ({ count, probe }: { count: number; probe: Exchange }): string =>
  `${count === 0 ? 'it was not processed' : `it was processed ${timesWords(count)}`} (seen in exchange ${probe.id})`

type Counted = Parameters<typeof seen>[0]

/** Judges the last count of this delivery. None was asked for if the scenario ended with one that had no effect. */
function counted(delivery: Exchange, probes: readonly Exchange[], judge: (counted: Counted) => Judgement) {
  const own = probes.findLast((one) => asksFor(one, idOf(delivery)))
  const probe = own ?? probes.at(-1)
  const count = probe ? numberIn(probe) : null
  if (own && count !== null) return judge({ count, probe: own })
  if (probe && count === 0)
    return inconclusive(`${without(probe)}, so the effects of ${named(delivery)} were not asked for`)
  return inconclusive(`the effects of ${named(delivery)} could not be read as a number`)
}

export const noEffect =
  'it is processed later, or never, if duplicates are recognised by something besides the id'

const without = ({ id }: Exchange, of = 'a valid delivery'): string =>
  `${of} had no effect in time (exchange ${id}): ${noEffect}`

/** The id stands in its path, and not within a longer one. */
function asksFor({ request: { path } }: Exchange, id: string): boolean {
  const part = encodeURIComponent(id)
  const at = path.indexOf(part)
  return at >= 0 && ![path.at(at - 1), path[at + part.length]].some((next) => /[\w-]/.test(next ?? ''))
}

/** The whole number that an answer consists of, or null. */
export function numberIn({ response }: Exchange): number | null {
  if (response?.status !== 200) return null
  const text = joined(response.chunks).toString('latin1').trim()
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}

export function idOf(exchange: Exchange): string {
  const wanted = identifiersIn(exchange).deliveryIdHeader.toLowerCase()
  return exchange.request.headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''
}

/** What came under the id of this delivery was processed so often in the end. Less may still become more. */
export function processedTimes(times: number, delivery: Exchange, probes: readonly Exchange[]): Judgement {
  const expected = `${named(delivery)} to be processed ${timesWords(times)}`
  return counted(delivery, probes, (it) =>
    it.count < times
      ? inconclusive(without(it.probe, named(delivery)))
      : check(it.count === times, expected, seen(it), delivery),
  )
}

/** It was processed, as a delivery of its own: of others that came later effects were seen. */
export function processedToo(delivery: Exchange, probes: readonly Exchange[]): Judgement {
  const expected = `${named(delivery)} to be processed: its id is new`
  return counted(delivery, probes, (it) => check(it.count > 0, expected, seen(it), delivery))
}

/** A forged delivery that had its id before has not used it up. */
export function idLeft(genuine: Exchange, probes: readonly Exchange[]): Judgement {
  const expected = `${named(genuine)} processed, though a forged one had its id before`
  return counted(genuine, probes, ({ count }) =>
    count > 0 ? pass : warn(expected, 'not processed', genuine),
  )
}

export function overlapping(copies: readonly Exchange[]): Judgement {
  const inOrder = copies
    .filter((copy) => gotStatus(copy).is === 'pass')
    .toSorted((one, other) => one.sentAt - other.sentAt)
  const met = inOrder.some(({ sentAt }, at) => inOrder.slice(0, at).some(({ endedAt }) => endedAt > sentAt))
  return met ? pass : inconclusive('no two copies were in flight at once')
}

/** Every genuine one that a scenario rests on was accepted. */
export function resting(on: readonly Exchange[], judge: () => Judgement): Judgement {
  return given(all(...on.map(accepted)), judge)
}
