/** Judgements on the rate limit. Only the common part of all ways of counting a minute is judged. */
import { limits } from '../../../spec/index.ts'
import type { Judgement } from '../../scenario/scenario.ts'
import type { Dialect } from '../../config/dialect.ts'
import { type Exchange, header } from '../../wire/exchange.ts'
import { object, shown, status, statusOf } from '../../assertions/answer.ts'
import { amountOf } from '../../assertions/reply.ts'
import { fail, every, given, inconclusive, pass, warn } from '../../scenario/expect.ts'
import { taken } from '../../assertions/once.ts'
import { replied } from '../../assertions/turn.ts'

const minuteMs = 60_000
/** A fixed window allows twice the limit across its boundary; no other kind allows more. */
const mostInAMinute = 2 * limits.chatRequestsPerMinute

/** No kind of window requires a longer wait. */
export const longestWaitSeconds = 120

export function isLimited(exchange: Exchange): boolean {
  return statusOf(exchange) === 429
}

/** The seconds that a 429 asks to wait; null if it does not name any. */
export function retryAfterSeconds(exchange: Exchange): number | null {
  const value = isLimited(exchange) ? amountOf(object(exchange)?.['retry_after_seconds']) : null
  return value !== null && value >= 0 ? value : null
}

export function notLimited(exchange: Exchange): Judgement {
  return isLimited(exchange) ? fail('no 429', shown(exchange), exchange) : taken(exchange)
}

/**
 * The limit of a key applies to these requests too: between two refusals, no more of them are accepted than any way
 * of counting allows, within the time for which the first refusal asked to wait.
 */
export function noneThrough(limited: readonly Exchange[], others: readonly Exchange[]): Judgement {
  const through = others.filter((one) => replied(one).is === 'pass')
  const windows = limited.slice(1).flatMap((end, at) => {
    const start = limited[at]
    const within = through.filter(({ id }) => id > (start?.id ?? 0) && id < end.id)
    return start && isLimited(start) && isLimited(end) ? [{ start, within }] : []
  })
  const broke = windows.find(({ start, within }) => {
    const seconds = (Math.max(...within.map(({ endedAt }) => endedAt)) - start.sentAt) / 1000
    // By any way of counting, a key that was refused may send one request, and one more for each second that passed.
    return within.length > 1 && within.length > 1 + seconds && seconds < (retryAfterSeconds(start) ?? 0)
  })
  if (!broke) return pass
  // Whether a plain request was accepted after another one was refused: the limit is counted in several places.
  if (limited.slice(limited.findIndex(isLimited) + 1).some((one) => replied(one).is === 'pass'))
    return inconclusive('plain requests got through between refusals, too')
  const got = `${broke.within.length} requests got through between two refusals of the key`
  return fail('a 429, as the key was limited', got, broke.within[0])
}

/** Like `notLimited`, but a refusal of another kind is inconclusive. */
export function recovers(exchange: Exchange): Judgement {
  const judged = notLimited(exchange)
  return isLimited(exchange) ? judged : given(judged, () => judged)
}

/** Of more than twice the limit sent within a minute at least one is limited. */
export function limitedAtLast(requests: readonly Exchange[]): Judgement {
  if (requests.some(isLimited)) return pass
  const whole = requests.filter(({ failure }) => failure === null)
  const counted = whole.filter((one) => statusOf(one) === 200)
  const last = counted.at(-1)
  const span =
    Math.max(...counted.map(({ endedAt }) => endedAt)) - Math.min(...counted.map(({ sentAt }) => sentAt))
  if (counted.length <= mostInAMinute || span >= minuteMs)
    return inconclusive(`${counted.length} turns ran in ${Math.round(span / 1000)} s, too few or too slowly`)
  return fail(`a 429 among more than ${mostInAMinute} turns in a minute`, 'none', last)
}

export function neverLimited(requests: readonly Exchange[]): Judgement {
  const limited = requests.find(isLimited)
  if (!limited) return every(requests, taken)
  const more = requests.some(({ resent = false }) => resent)
  return more ? inconclusive('a connection was closed, and so a request went out twice') : notLimited(limited)
}

/** The body of a 429 states how long to wait. More than a limit by the minute can require may be a time, and no fault. */
export function saysRetry(limited: Exchange): Judgement {
  return saysMember(limited, 'retry_after_seconds', (got) => {
    const seconds = retryAfterSeconds(limited)
    if (seconds === null) return fail('`retry_after_seconds`: a number, not negative', got, limited)
    if (seconds <= longestWaitSeconds) return pass
    return warn(`seconds, at most ${longestWaitSeconds} for a limit by the minute`, got, limited)
  })
}

/** The body of a 429 has this member. Its type is not shown, so a value that is no number warns. */
export function saysAmount(limited: Exchange, name: 'limit' | 'remaining'): Judgement {
  return saysMember(limited, name, (got, value) =>
    amountOf(value) === null ? warn(`\`${name}\`: an amount`, got, limited) : pass,
  )
}

/**
 * Whatever its window, a limit that was reached is partly spent: not all of it remains. More than that belongs to
 * another window, such as a day.
 */
export function saysSpent(limited: Exchange): Judgement {
  const judged = saysAmount(limited, 'remaining')
  const { limit, remaining } = object(limited) ?? {}
  const [most, left] = [amountOf(limit), amountOf(remaining)]
  if (judged.is !== 'pass' || most === null || left === null || most <= 0) return judged
  const judge = left > most ? warn : fail
  return left < most
    ? pass
    : judge(`\`remaining\`: less than the limit of ${most}`, `\`remaining\`: ${left}`, limited)
}

function saysMember(
  limited: Exchange,
  name: string,
  judge: (got: string, value: unknown) => Judgement,
): Judgement {
  return given(status(limited, 429), () => {
    const value = object(limited)?.[name] ?? null
    return value === null
      ? fail(`a member \`${name}\``, shown(limited), limited)
      : judge(`\`${name}\`: ${JSON.stringify(value)}`, value)
  })
}

/** Names of the headers about a rate limit, in lower case, sorted. */
export function rateHeadersOf({ response }: Exchange): readonly string[] {
  const names = (response?.headers ?? []).map(([name]) => name.toLowerCase())
  return [...new Set(names.filter((name) => /^(?:x-)?rate-?limit\b/.test(name)))].sort()
}

/** All declared headers are present. Without declared ones, any that is recognized counts, and none is inconclusive. */
export function carriesRateHeaders(exchange: Exchange, { rateHeaders = [] }: Dialect): Judgement {
  return given(replied(exchange), () => {
    const missing = rateHeaders.filter((name) => header(exchange, name).length === 0)
    if (missing.length > 0)
      return fail(`headers ${rateHeaders.join(', ')}`, `no ${missing.join(', ')}`, exchange)
    if (rateHeaders.length > 0 || rateHeadersOf(exchange).length > 0) return pass
    return inconclusive('no header looks like one; their names are not shown: declare `dialect.rateHeaders`')
  })
}
