/** Whether anything was delivered to a private address that a name was moved to after its webhook was made. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { cameBy, hostOf, isShaken } from './canary.ts'
import { broken, inconclusive, pass, weak } from '../../scenario/expect.ts'
import { fate, wasTaken } from './management/managed.ts'
import { asked } from '../../assertions/turn.ts'

export interface Moved {
  /** The creation of a webhook whose endpoint has the name. */
  request: Exchange
  /** What reached the private address. */
  arrived: readonly Exchange[]
  /** URLs over HTTPS that somebody connected to and shook hands at, in one text. */
  shaken: unknown
  /** Names that were looked up and found at the private address, in one text. */
  followed: unknown
}

/**
 * Passes where the name was looked up once it was moved, and nothing came. A service that delivers to the address that
 * it found when the webhook was made never looks again: it conforms, and that is not to be seen here.
 */
export function movedInVain({ request, arrived, shaken, followed }: Moved): Judgement {
  const host = hostOf(request)
  const expected = `nothing to be delivered to ${withoutLabel(host)} once it leads to a private address`
  const [first] = cameBy(request, arrived)
  if (first) return broken(expected, 'a delivery', first)
  // Whoever looks where a connection leads before anything is sent has begun a handshake, and delivers nothing.
  if (isShaken(asked(request)?.['endpoint_url'], shaken))
    return weak(expected, 'a connection with the beginning of a TLS handshake', request)
  if (!wasTaken(request))
    return inconclusive(`an endpoint at a name that leads to a public address: ${fate(request)}`)
  return String(followed).split(' ').includes(host)
    ? pass
    : inconclusive('the name was not looked up after it had been moved to a private address')
}

/** The label is another one in each run. */
const withoutLabel = (host: string): string => host.replace(/^[^.]*\./, 'a name in ')

/** The same of a name that alternates, or over plain HTTP: neither need be taken, and only what came says anything. */
export function onlyWhatCame(judgements: readonly Judgement[]): readonly Judgement[] {
  return judgements.filter(({ is }) => is === 'broken' || is === 'weak')
}
