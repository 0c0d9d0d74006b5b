/** Whether anything was delivered to where nothing may be delivered to. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { broken, inconclusive, observed, pass, weak } from '../../scenario/expect.ts'
import { failedUnanswered } from './management/log-list.ts'
import { fate, turnedAway, wasTaken } from './management/managed.ts'
import { asked } from '../../assertions/turn.ts'
import { identityOf } from './management/webhook-record.ts'

/** What was tried: a creation or an update with an endpoint that has to be blocked, and what shows of it. */
export interface Tried {
  request: Exchange
  /** What reached our receiver by any of these endpoints. */
  arrived: readonly Exchange[]
  /** The log of the webhook after a delivery, where it was taken and the log was read. */
  log: Exchange | undefined
  dialect: Dialect
  /** URLs over HTTPS that somebody connected to and shook hands at, in one text. */
  shaken?: unknown
}

/** The address that was asked for, without the part of it that differs from run to run. */
export function hostOf(request: Exchange): string {
  const url = String(asked(request)?.['endpoint_url'])
  return /^[a-z]+:\/\/([^/]*)/i.exec(url)?.[1]?.replace(/:\d+$/, '') ?? url
}

/** What came by the endpoint of a request. */
export function cameBy(request: Exchange, arrived: readonly Exchange[]): readonly Exchange[] {
  const url = URL.parse(String(asked(request)?.['endpoint_url']))
  return url === null ? [] : arrived.filter(({ request: { path } }) => path.startsWith(url.pathname))
}

/** Whether somebody shook hands at this URL. */
export function isShaken(url: unknown, shaken: unknown): boolean {
  return typeof shaken === 'string' && shaken.split(' ').some((one) => one !== '' && one === url)
}

/**
 * Refused, or taken and then not delivered: nothing came, and the log says of a delivery that it failed without any
 * answer. What was taken and shows neither says nothing, since a service may block at delivery alone.
 */
export function blocked({ request, arrived, log, dialect, shaken }: Tried): Judgement {
  const host = hostOf(request)
  const expected = `nothing to be delivered to ${host}`
  const [first] = cameBy(request, arrived)
  if (first) return broken(expected, 'a delivery', first)
  // Whoever looks where a connection leads before anything is sent has begun a handshake, and delivers nothing.
  if (isShaken(asked(request)?.['endpoint_url'], shaken))
    return weak(expected, 'a connection with the beginning of a TLS handshake', request)
  if (!wasTaken(request)) {
    const judgement = turnedAway(request, host)
    return judgement.is === 'pass' ? pass : inconclusive(`\`${request.name}\` with ${host}: ${fate(request)}`)
  }
  const logged = log ? failedUnanswered(log, dialect) : 'unknown'
  if (logged === 'answered') return broken(expected, 'a log that has the HTTP status of an answer', log)
  if (logged === 'yes') return pass
  return inconclusive(`an endpoint at ${host} was taken, and whether it is delivered to was not seen`)
}

/** Records what became of endpoints that are not judged. */
export function seen(requests: readonly Exchange[], arrived: readonly Exchange[]): Judgement {
  const words = requests.map((request) => {
    const reached = cameBy(request, arrived).length > 0 ? ', and delivered to' : ''
    return `${hostOf(request)} ${fate(request)}${reached}`
  })
  return observed(words.join('; ') || 'nothing was excused')
}

/** The last look at the log of the webhook that a request created. */
export function logOf(creation: Exchange, logs: readonly Exchange[]): Exchange | undefined {
  const id = identityOf(creation)?.id
  if (id === undefined) return undefined
  return logs.findLast(({ request }) => request.path.endsWith(`/${encodeURIComponent(id)}/logs`))
}
