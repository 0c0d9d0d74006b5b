/** Judgements on the rate limit. Only what every kind of minute has in common is judged. */
import { limits } from '../../../spec/index.ts'
import type { Judgement } from '../../scenario/judgement.ts'
import type { Dialect } from '../../config/dialect.ts'
import { header } from '../../wire/body.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { object, shown, status, statusOf } from '../../assertions/answer.ts'
import { amountOf } from '../../assertions/amount.ts'
import { broken, check, every, given, inconclusive, pass, weak } from '../../scenario/expect.ts'
import { taken } from '../../assertions/once.ts'
import { replied } from '../../assertions/turn.ts'

const minuteMs = 60_000
/** A fixed minute lets twice the limit through at its turn; no kind of minute lets more. */
const mostInAMinute = 2 * limits.chatRequestsPerMinute

/** No kind of minute needs a longer wait. */
export const longestWaitSeconds = 120

export function isLimited(exchange: Exchange): boolean {
  return statusOf(exchange) === 429
}

/** Seconds that a 429 asks to wait; null where it does not say. */
export function retryAfter(exchange: Exchange): number | null {
  const value = isLimited(exchange) ? amountOf(object(exchange)?.['retry_after_seconds']) : null
  return value !== null && value >= 0 ? value : null
}

/** Here a 429 is the point: the request is accepted, and not limited. */
export function notLimited(exchange: Exchange): Judgement {
  return isLimited(exchange) ? broken('no 429', shown(exchange), exchange) : taken(exchange)
}

/** By any way of counting, a key that was refused may send one request, and one more for each second that passed. */
const mostThrough = (seconds: number): number => 1 + seconds

/** Whether a plain request got through once another one was refused: the limit is not counted in one place. */
const comesAndGoes = (limited: readonly Exchange[]): boolean =>
  limited.slice(limited.findIndex(isLimited) + 1).some((one) => replied(one).is === 'pass')

/**
 * A key that is limited is so for these requests too: not more of them got through between two refusals than any kind
 * of minute allows, within the time for which the first refusal asked to wait.
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
    return within.length > 1 && within.length > mostThrough(seconds) && seconds < (retryAfter(start) ?? 0)
  })
  if (!broke) return pass
  if (comesAndGoes(limited)) return inconclusive('plain requests got through between refusals, too')
  const got = `${broke.within.length} requests got through between two refusals of the key`
  return broken('a 429, as the key was limited', got, broke.within[0])
}

/** As `notLimited`; a refusal of another kind decides nothing about the rate. */
export function recovers(exchange: Exchange): Judgement {
  const judged = notLimited(exchange)
  return isLimited(exchange) ? judged : given(judged, () => judged)
}

/** Of more than twice the limit sent within a minute at least one was limited; the control is that others were not. */
export function limitedAtLast(requests: readonly Exchange[]): Judgement {
  const accepted = requests.find((request) => replied(request).is === 'pass')
  if (!accepted) return inconclusive('no request of this key was accepted')
  if (requests.some(isLimited)) return pass
  const whole = requests.filter(({ failure }) => failure === null)
  const counted = whole.filter((one) => statusOf(one) === 200)
  const last = counted.at(-1)
  const span =
    Math.max(...counted.map(({ endedAt }) => endedAt)) - Math.min(...counted.map(({ sentAt }) => sentAt))
  if (counted.length <= mostInAMinute || span >= minuteMs)
    return inconclusive(`${counted.length} turns ran in ${Math.round(span / 1000)} s, too few or too slowly`)
  return broken(`a 429 among more than ${mostInAMinute} turns in a minute`, 'none', last)
}

/** None of the requests of a key that keeps to the limit was limited, and each was accepted. */
export function neverLimited(requests: readonly Exchange[]): Judgement {
  const limited = requests.find(isLimited)
  if (!limited) return every(requests, taken)
  const more = requests.some(({ resent = false }) => resent)
  return more ? inconclusive('a connection was closed, and so a request went out twice') : notLimited(limited)
}

/** The body of a 429 says how long to wait, and that is no longer than a limit by the minute can need. */
export function saysRetry(limited: Exchange): Judgement {
  return saysMember(limited, 'retry_after_seconds', (got) => {
    const seconds = retryAfter(limited)
    if (seconds === null) return broken('`retry_after_seconds`: a number, not negative', got, limited)
    const most = `\`retry_after_seconds\`: at most ${longestWaitSeconds}, for a limit by the minute`
    return check(seconds <= longestWaitSeconds, most, got, limited)
  })
}

/** The body of a 429 has this member. Of what type is not shown: what is no amount is weak. */
export function saysAmount(limited: Exchange, name: 'limit' | 'remaining'): Judgement {
  return saysMember(limited, name, (got, value) =>
    amountOf(value) === null ? weak(`\`${name}\`: an amount`, got, limited) : pass,
  )
}

/**
 * Of whatever time the limit is, requests of it are spent where it is met: not all of it is left. More than that is of
 * another time, such as a day.
 */
export function saysSpent(limited: Exchange): Judgement {
  const judged = saysAmount(limited, 'remaining')
  const { limit, remaining } = object(limited) ?? {}
  const [most, left] = [amountOf(limit), amountOf(remaining)]
  if (judged.is !== 'pass' || most === null || left === null || most <= 0) return judged
  const judge = left > most ? weak : broken
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
      ? broken(`a member \`${name}\``, shown(limited), limited)
      : judge(`\`${name}\`: ${JSON.stringify(value)}`, value)
  })
}

/** Names of the headers that speak of a rate limit, in lower case, sorted. */
export function rateHeadersOf({ response }: Exchange): readonly string[] {
  const names = (response?.headers ?? []).map(([name]) => name.toLowerCase())
  return [...new Set(names.filter((name) => /^(?:x-)?rate-?limit\b/.test(name)))].sort()
}

/** Declared headers are all there; where none is declared any that is recognised will do, and none decides nothing. */
export function carriesRateHeaders(exchange: Exchange, { rateHeaders = [] }: Dialect): Judgement {
  return given(replied(exchange), () => {
    const missing = rateHeaders.filter((name) => header(exchange, name).length === 0)
    if (missing.length > 0)
      return broken(`headers ${rateHeaders.join(', ')}`, `no ${missing.join(', ')}`, exchange)
    if (rateHeaders.length > 0 || rateHeadersOf(exchange).length > 0) return pass
    return inconclusive('no header looks like one; their names are not shown: declare `dialect.rateHeaders`')
  })
}
