/** Judges whether anything was delivered to a blocked address. */
import type { Judgement } from '../../scenario/scenario.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { citing, fail, inconclusive, observed, pass, warn } from '../../scenario/expect.ts'
import { failedUnanswered } from './management/log-entry.ts'
import { resultOf, refusedContent, wasAccepted, identityOf } from './management/webhook-record.ts'
import { asked } from '../../assertions/turn.ts'

export interface Tried {
  request: Exchange
  /** Requests that reached our receiver through any of these endpoints. */
  arrived: readonly Exchange[]
  /** The log of the webhook after a delivery, if it was accepted and the log was read. */
  log: Exchange | undefined
  dialect: Dialect
  /** The HTTPS URLs at which a TLS handshake arrived, separated by spaces. */
  shaken?: unknown
}

/** The host of the endpoint, without the part that differs from run to run. */
export function hostOf(request: Exchange): string {
  const url = String(asked(request)?.['endpoint_url'])
  return /^[a-z]+:\/\/([^/]*)/i.exec(url)?.[1]?.replace(/:\d+$/, '') ?? url
}

/** The requests that arrived at the endpoint of a request. */
export function arrivedThrough(request: Exchange, arrived: readonly Exchange[]): readonly Exchange[] {
  const url = URL.parse(String(asked(request)?.['endpoint_url']))
  const isBelow = (path: string): boolean =>
    path.startsWith(url?.pathname ?? '\n') && /^(?:[/?]|$)/.test(path.slice(url?.pathname.length))
  return arrived.filter(({ request: { path } }) => isBelow(path))
}

export function isShaken(url: unknown, shaken: unknown): boolean {
  return typeof shaken === 'string' && shaken.split(' ').some((one) => one !== '' && one === url)
}

/**
 * Refused, or accepted and then not delivered: nothing arrived, and the log shows that the delivery failed without a
 * response. Otherwise inconclusive, since a service may block at delivery only.
 */
export function blocked({ request, arrived, log, dialect, shaken }: Tried): Judgement {
  const host = hostOf(request)
  const expected = `nothing to be delivered to ${host}`
  const [first] = arrivedThrough(request, arrived)
  if (first)
    return citing(fail(expected, 'a delivery', first), [request, 'accepted endpoint'], [first, 'delivery'])
  // A service that checks the address of a connection has started a handshake, and delivers nothing.
  if (isShaken(asked(request)?.['endpoint_url'], shaken))
    return warn(expected, 'a connection with the beginning of a TLS handshake', request)
  if (!wasAccepted(request)) {
    const judgement = refusedContent(request, host)
    return judgement.is === 'pass'
      ? pass
      : inconclusive(`\`${request.name}\` with ${host}: ${resultOf(request)}`)
  }
  const logged = log ? failedUnanswered(log, dialect) : 'unknown'
  if (logged === 'answered') return fail(expected, 'a log that has the HTTP status of an answer', log)
  if (logged === 'yes') return pass
  return inconclusive(`an endpoint at ${host} was taken, and whether it is delivered to was not seen`)
}

/** Records the results of endpoints that are not judged. */
export function observedBlocking(requests: readonly Exchange[], arrived: readonly Exchange[]): Judgement {
  const words = requests.map((request) => {
    const reached = arrivedThrough(request, arrived).length > 0 ? ', and delivered to' : ''
    return `${hostOf(request)} ${resultOf(request)}${reached}`
  })
  return observed(words.join('; ') || 'nothing was excused')
}

/** The last reading of the log of the webhook that a request created. */
export function lastLogOf(creation: Exchange, logs: readonly Exchange[]): Exchange | undefined {
  const id = identityOf(creation)?.id
  if (id === undefined) return undefined
  return logs.findLast(({ request }) => request.path.endsWith(`/${encodeURIComponent(id)}/logs`))
}
