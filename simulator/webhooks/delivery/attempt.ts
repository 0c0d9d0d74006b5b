/** One attempt: builds the request, sends it, and waits for the response up to the timeout of the rules. */
import { hookDelivery } from '../../modification/apply.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import type { AttemptRecord, WebhookDelivery, DeliveryRequest, AttemptOutcome } from './delivery.ts'
import type { Posted, Poster, Breaker } from '../guard/guard.ts'

/** The request of an attempt that begins at `at`, after modifications. */
export function attemptRequestOf(
  state: TenantState,
  delivery: WebhookDelivery,
  number: number,
  at: number,
): DeliveryRequest {
  const { rules } = state
  const body = rules.encode(rules.envelope(delivery.occurrence, at))
  const headers = rules.deliveryHeaders(delivery, number, body, rules)
  const message: DeliveryRequest = { url: delivery.webhook.endpointUrl, headers, body }
  return hookDelivery(state, message, { delivery, attempt: number })
}

/** Redirects of one attempt, under the interpretation that follows them. */
const maxRedirects = 5

/** A request that cannot be built fails like an unreachable endpoint. */
function post(
  state: TenantState,
  poster: Poster,
  make: () => DeliveryRequest,
  breaker: Breaker,
): Promise<Posted> {
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
  message: DeliveryRequest,
  breaker: Breaker,
  hops = 0,
): Promise<Posted> {
  const { guard, followsRedirects } = state.rules
  const posting = poster.post(message, guard, breaker)
  if (!followsRedirects || hops === maxRedirects) return posting
  return posting.then((posted) => {
    const url = locationOf(posted, message.url)
    return url === null ? posted : deliver(state, poster, { ...message, url }, breaker, hops + 1)
  })
}

function locationOf({ status, location }: Posted, from: string): string | null {
  if (status === null || status < 300 || status > 399 || location === null) return null
  return URL.parse(location, from)?.href ?? null
}

/** Resolves on a response, on a failure, after `answerWaitMs` on the clock of the tenant, or when `breaker` aborts it. */
export function sendAttempt(
  state: TenantState,
  poster: Poster,
  delivery: WebhookDelivery,
  breaker: Breaker,
): Promise<AttemptRecord> {
  const { clock, rules } = state
  const [number, at, began] = [delivery.attempts.length + 1, clock.date(), clock.now()]
  const forget = clock.after(rules.answerWaitMs, 'delivery answer', () => breaker.break())
  const make = (): DeliveryRequest => {
    const request = attemptRequestOf(state, delivery, number, at)
    state.outbox.sent.add({ delivery, number, at, request })
    return request
  }
  return post(state, poster, make, breaker).then((posted) => {
    forget()
    return { number, at, tookMs: clock.now() - began, status: posted.status, ...ended(state, posted) }
  })
}

function ended(
  { rules }: TenantState,
  { status, failure }: Posted,
): { outcome: AttemptOutcome; reason: string } {
  if (failure) return { outcome: failure.kind, reason: failure.reason }
  const outcome = status !== null && rules.isDelivered(status) ? 'delivered' : 'refused'
  return { outcome, reason: `The endpoint answered ${status}.` }
}

/** Loaded at the first delivery, because a simulator without webhooks does not need an HTTP client. */
export async function loadPoster(): Promise<Poster> {
  const { createPoster } = await import('../guard/poster.ts')
  return createPoster()
}
