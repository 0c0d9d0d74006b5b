/** One attempt: makes the request, lets it out, and waits for the answer as long as the rules say. */
import { hookDelivery } from '../../modification/apply.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import type { Attempt, Delivery, Message, Outcome } from './delivery.ts'
import type { Breaker } from '../guard/breaker.ts'
import type { Posted, Poster } from '../guard/guard.ts'

/** The request of an attempt that begins at `at`, as the modifications leave it. */
export function messageOf(state: TenantState, delivery: Delivery, number: number, at: number): Message {
  const { rules } = state
  const body = rules.encode(rules.envelope(delivery.occurrence, at))
  const headers = rules.deliveryHeaders(delivery, number, body, rules)
  const message: Message = { url: delivery.webhook.endpointUrl, headers, body }
  return hookDelivery(state, message, { delivery, attempt: number })
}

/** Redirects of one attempt, under the reading that follows them. */
const hopsMost = 5

/** A request that cannot be made at all fails like one that finds nobody. */
function post(state: TenantState, poster: Poster, make: () => Message, breaker: Breaker): Promise<Posted> {
  try {
    return deliver(state, poster, make(), breaker)
  } catch (error) {
    const reason = `No request could be made: ${error instanceof Error ? error.message : String(error)}`
    return Promise.resolve({ status: null, location: null, failure: { kind: 'unreachable', reason } })
  }
}

function deliver(
  state: TenantState,
  poster: Poster,
  message: Message,
  breaker: Breaker,
  hops = 0,
): Promise<Posted> {
  const { guard, followsRedirects } = state.rules
  const posting = poster.post(message, guard, breaker)
  if (!followsRedirects || hops === hopsMost) return posting
  return posting.then((posted) => {
    const url = locationOf(posted, message.url)
    return url === null ? posted : deliver(state, poster, { ...message, url }, breaker, hops + 1)
  })
}

function locationOf({ status, location }: Posted, from: string): string | null {
  if (status === null || status < 300 || status > 399 || location === null) return null
  return URL.parse(location, from)?.href ?? null
}

/**
 * Ends when it was answered, was not let out, or `answerWaitMs` have passed on the clock of the tenant; at once when
 * `breaker` breaks it off.
 */
export function attempt(
  state: TenantState,
  poster: Poster,
  delivery: Delivery,
  breaker: Breaker,
): Promise<Attempt> {
  const { clock, rules } = state
  const [number, at, began] = [delivery.attempts.length + 1, clock.date(), clock.now()]
  const forget = clock.after(rules.answerWaitMs, 'delivery answer', () => breaker.break())
  return post(state, poster, () => messageOf(state, delivery, number, at), breaker).then((posted) => {
    forget()
    return { number, at, tookMs: clock.now() - began, status: posted.status, ...ended(state, posted) }
  })
}

function ended({ rules }: TenantState, { status, failure }: Posted): { outcome: Outcome; reason: string } {
  if (failure) return { outcome: failure.kind, reason: failure.reason }
  const outcome = status !== null && rules.isDelivered(status) ? 'delivered' : 'refused'
  return { outcome, reason: `The endpoint answered ${status}.` }
}
