/**
 * Judges whether anything was delivered to a private address to which a name was moved after the creation of its
 * webhook.
 */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { arrivedThrough, hostOf, isShaken } from './canary.ts'
import { citing, fail, inconclusive, pass, warn } from '../../scenario/expect.ts'
import { resultOf, wasAccepted } from './management/managed.ts'
import { asked } from '../../assertions/turn.ts'

export interface Moved {
  /** The creation of a webhook whose endpoint has the name. */
  request: Exchange
  /** Requests to the private address. */
  arrived: readonly Exchange[]
  /** The HTTPS URLs at which a TLS handshake arrived, separated by spaces. */
  shaken: unknown
  /** Names that were resolved to the private address, separated by spaces. */
  followed: unknown
}

/**
 * Passes if the name was resolved after it was moved, and nothing arrived. A service that delivers to the address
 * resolved at creation never resolves it again: it conforms, which cannot be observed here.
 */
export function movedInVain({ request, arrived, shaken, followed }: Moved): Judgement {
  const host = hostOf(request)
  const expected = `nothing to be delivered to ${withoutLabel(host)} once it leads to a private address`
  const [first] = arrivedThrough(request, arrived)
  if (first)
    return citing(fail(expected, 'a delivery', first), [request, 'accepted endpoint'], [first, 'delivery'])
  // A service that checks the address of a connection has started a handshake, and delivers nothing.
  if (isShaken(asked(request)?.['endpoint_url'], shaken))
    return warn(expected, 'a connection with the beginning of a TLS handshake', request)
  if (!wasAccepted(request))
    return inconclusive(`an endpoint at a name that leads to a public address: ${resultOf(request)}`)
  return String(followed).split(' ').includes(host)
    ? pass
    : inconclusive('the name was not looked up after it had been moved to a private address')
}

/** The label differs in each run. */
const withoutLabel = (host: string): string => host.replace(/^[^.]*\./, 'a name in ')

/** For a name that alternates, or plain HTTP: neither must be accepted, so only arrived requests are judged. */
export function onlyWhatCame(judgements: readonly Judgement[]): readonly Judgement[] {
  return judgements.filter(({ is }) => is === 'fail' || is === 'warn')
}
