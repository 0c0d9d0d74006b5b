/** Sends queued deliveries round-robin over the endpoints, with as many concurrent attempts as the rules allow. */
import { pauseFor } from '../../clock/machine-time.ts'
import { type TenantState, hookDelivery } from '../../rules/tenant-state.ts'
import type {
  AttemptRecord,
  WebhookDelivery,
  DeliveryRequest,
  AttemptOutcome,
} from '../../tenant/webhooks/delivery.ts'
import { type Poster, Breaker, type Posted } from '../guard/guard.ts'
import {
  isPaused,
  queueOf,
  takeNext,
  type EndpointQueue,
  type QueuedDelivery,
  createQueue,
} from '../../tenant/webhooks/endpoint-queue.ts'
import type { DeliveryLog } from './delivery-log.ts'

/** The request of an attempt that begins at `at`, after modifications. */
function attemptRequestOf(
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
function sendAttempt(
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

/** Real time between two looks at a store that cannot be written. */
const storeRetryMs = 100

/** Real time that a clock advance waits for an endpoint's response. */
const responseTimeoutMs = 150

export class DeliverySender {
  readonly #state: TenantState
  readonly #log: DeliveryLog
  /** Endpoints that may have something to send. */
  readonly #endpoints = createQueue<EndpointQueue>()
  readonly #inFlight = new Set<Breaker>()
  #loading: Promise<Poster> | undefined
  #poster: Poster | undefined

  constructor(state: TenantState, log: DeliveryLog) {
    this.#state = state
    this.#log = log
  }

  wake(endpoint: EndpointQueue): void {
    this.#enqueue(endpoint)
    this.#sendNext()
  }

  /** Queues a delivery for its next attempt after `ms` on the clock of the tenant. */
  queue(endpoint: EndpointQueue, queued: QueuedDelivery, ms: number, label: string): void {
    const arrive = (): void => {
      queued.due = null
      queueOf(endpoint, queued).add(queued)
      this.wake(endpoint)
    }
    if (ms <= 0) return arrive()
    queued.due = this.#state.clock.now() + ms
    this.#later(endpoint, ms, label, arrive)
  }

  /**
   * Continues with restored deliveries. The result of an attempt that was in flight is unknown: it does not count, and
   * the next attempt has its number.
   */
  resume(endpoint: EndpointQueue): void {
    const now = this.#state.clock.now()
    for (const queued of endpoint.known.values()) {
      if (queued.state !== 'waiting') continue
      if (queued.attempts.length > 0 && !queued.occurrence.test) endpoint.open++
      const ms = (queued.due ?? 0) - now
      if (ms > 0) this.queue(endpoint, queued, ms, queued.attempts.length > 0 ? 'delivery retry' : 'delivery')
      else queueOf(endpoint, queued).add(queued)
    }
    this.#awaitPause(endpoint)
    this.wake(endpoint)
  }

  /** Aborts attempts in flight; their results are ignored. */
  abort(): void {
    const broken = [...this.#inFlight]
    this.#inFlight.clear()
    this.#endpoints.clear()
    for (const breaker of broken) breaker.break()
  }

  close(): void {
    this.abort()
    void this.#loading?.then((poster) => poster.close())
  }

  /** Runs later, unless the endpoint is removed before. */
  #later(endpoint: EndpointQueue, ms: number, label: string, run: () => void): void {
    const forget = this.#state.clock.after(ms, label, () => {
      endpoint.sleeps.delete(forget)
      run()
    })
    endpoint.sleeps.add(forget)
  }

  #awaitPause(endpoint: EndpointQueue): void {
    const ms = (endpoint.pause?.until ?? 0) - this.#state.clock.now()
    if (ms > 0 && Number.isFinite(ms)) this.#later(endpoint, ms, 'endpoint pause', () => this.wake(endpoint))
  }

  #enqueue(endpoint: EndpointQueue): void {
    if (endpoint.inLine) return
    endpoint.inLine = true
    this.#endpoints.add(endpoint)
  }

  #sendNext(): void {
    const { rules, clock } = this.#state
    while (this.#log.counts.inFlight < rules.concurrency.state) {
      const endpoint = this.#endpoints.take()
      if (!endpoint) return
      endpoint.inLine = false
      const queued = endpoint.gone ? undefined : takeNext(endpoint, rules, clock.now())
      if (!queued) continue
      this.#enqueue(endpoint)
      if (rules.isOn(endpoint.webhook)) this.#begin(endpoint, queued)
      else this.#drop(endpoint, queued)
    }
  }

  #drop(endpoint: EndpointQueue, queued: QueuedDelivery): void {
    if (queued.attempts.length > 0 && !queued.occurrence.test) endpoint.open--
    this.#log.settle(endpoint, queued, 'dropped', this.#state.rules.logLimit)
  }

  #begin(endpoint: EndpointQueue, queued: QueuedDelivery): void {
    this.#log.markInFlight(queued)
    if (isOpening(queued)) {
      endpoint.open++
      endpoint.first++
    }
    const breaker = new Breaker()
    this.#inFlight.add(breaker)
    const settled = this.#state.changes.settled()
    if (this.#poster && !settled) return this.#post(this.#poster, endpoint, queued, breaker)
    // At the first delivery, because a simulator without webhooks does not need an HTTP client.
    this.#loading ??= import('../guard/poster.ts').then(({ createPoster }) => createPoster())
    // A clock advance waits until the HTTP client is loaded; its timeout starts afterwards.
    const ready = Promise.all([this.#loading, settled && this.#stored(settled, breaker)]).then(([poster]) => {
      this.#poster = poster
      // Unless `abort()` removed it.
      if (this.#inFlight.has(breaker)) this.#post(poster, endpoint, queued, breaker)
    })
    void this.#state.clock.track(ready)
  }

  /** Nothing is sent that a store which cannot be written now may still lose. */
  async #stored(settled: Promise<void>, breaker: Breaker): Promise<void> {
    for (let wait: Promise<void> | undefined = settled; wait && this.#inFlight.has(breaker);) {
      const isStored = await wait.then(
        () => true,
        () => false,
      )
      if (isStored) return
      await pauseFor(storeRetryMs)
      wait = this.#state.changes.settled()
    }
  }

  #post(poster: Poster, endpoint: EndpointQueue, queued: QueuedDelivery, breaker: Breaker): void {
    const done = this.#state.clock.busy({ timeoutMs: responseTimeoutMs })
    void sendAttempt(this.#state, poster, queued, breaker).then((result) => {
      done()
      // Unless `abort()` removed it.
      if (this.#inFlight.delete(breaker)) this.#finishAttempt(endpoint, queued, result)
    })
  }

  #finishAttempt(endpoint: EndpointQueue, queued: QueuedDelivery, result: AttemptRecord): void {
    if (isOpening(queued)) endpoint.first--
    queued.attempts = [...queued.attempts, result]
    this.#retryOrEnd(endpoint, queued, result)
    this.wake(endpoint)
  }

  #retryOrEnd(endpoint: EndpointQueue, queued: QueuedDelivery, last: AttemptRecord): void {
    const { rules } = this.#state
    const again = last.number < queued.attemptsMost && rules.retries(last)
    if (!again || endpoint.gone) return this.#end(endpoint, queued, again ? 'dropped' : 'failed')
    this.#log.markWaiting(endpoint, queued)
    this.queue(endpoint, queued, rules.backoffMs(last.number), 'delivery retry')
  }

  /** `otherwise`: the state of a delivery without a successful attempt. */
  #end(endpoint: EndpointQueue, queued: QueuedDelivery, otherwise: 'failed' | 'dropped'): void {
    const { rules, clock } = this.#state
    const delivered = queued.attempts.some(({ outcome }) => outcome === 'delivered')
    this.#log.settle(endpoint, queued, delivered ? 'delivered' : otherwise, rules.logLimit)
    // Samples do not count as failures of an endpoint.
    if (queued.occurrence.test || endpoint.gone) return
    endpoint.open--
    this.#count(endpoint, delivered)
    if (endpoint.failures.inARow >= rules.endpointPause.after && !isPaused(endpoint, clock.now()))
      this.pause(endpoint)
  }

  /** Failures at another URL do not count. */
  #count(endpoint: EndpointQueue, delivered: boolean): void {
    const { failures, webhook } = endpoint
    const url = webhook.endpointUrl
    const inARow = delivered ? 0 : (failures.url === url ? failures.inARow : 0) + 1
    if (inARow === failures.inARow && url === failures.url) return
    endpoint.failures = { inARow, url }
    this.#state.changes.changed('endpoint', webhook.id)
  }

  pause(endpoint: EndpointQueue): void {
    const { rules, clock, changes, webhooks } = this.#state
    const { id, endpointUrl: url } = endpoint.webhook
    endpoint.failures = { inARow: 0, url }
    endpoint.pause = { until: clock.now() + rules.endpointPause.ms, url }
    changes.changed('endpoint', id)
    if (rules.pauseTurnsOff) {
      endpoint.webhook.isActive = false
      webhooks.touch(id)
    }
    this.#awaitPause(endpoint)
  }
}

/** The first attempt of a live delivery; samples are exempt from order and limits. */
const isOpening = ({ attempts, occurrence }: QueuedDelivery): boolean =>
  attempts.length === 0 && !occurrence.test
