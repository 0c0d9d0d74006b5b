/** Sends what waits in lanes: as many attempts at a time as the rules allow, in turns, so that no lane holds up another. */
import type { TenantState } from '../../tenant/tenant-state.ts'
import type { Attempt } from './delivery.ts'
import { Breaker } from '../guard/breaker.ts'
import type { Poster } from '../guard/guard.ts'
import { attempt } from './attempt.ts'
import type { Gate } from './durability.ts'
import { isPaused, queueOf, takeNext, type EndpointQueue, type QueuedDelivery } from './endpoint-queue.ts'
import type { Ledger } from './delivery-log.ts'
import { loadPoster } from './outbox-post.ts'
import { createQueue } from './queue.ts'

/** Real time that an advance of the clock gives an endpoint to answer in, before it leaves it behind. */
const patienceMs = 150

export class Sender {
  readonly #state: TenantState
  readonly #ledger: Ledger
  readonly #gate: Gate
  /** Lanes that may have something to send. */
  readonly #line = createQueue<EndpointQueue>()
  readonly #posting = new Set<Breaker>()
  #loading: Promise<Poster> | undefined
  #poster: Poster | undefined

  constructor(state: TenantState, ledger: Ledger, gate: Gate) {
    this.#state = state
    this.#ledger = ledger
    this.#gate = gate
  }

  /** There may be something to send for this webhook. */
  wake(endpoint: EndpointQueue): void {
    this.#enqueue(endpoint)
    this.#pump()
  }

  /** It queues for its next attempt when so many ms have passed on the clock of the tenant. */
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
   * Goes on with what was kept. Of an attempt that was under way nobody knows what came of it: it is none, and the
   * next one has its number.
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

  /** Breaks off what is under way; nobody hears of it any more. */
  breakOff(): void {
    const broken = [...this.#posting]
    this.#posting.clear()
    this.#line.clear()
    for (const breaker of broken) breaker.break()
  }

  close(): void {
    this.breakOff()
    void this.#loading?.then((poster) => poster.close())
  }

  /** Unless the lane is gone by then. */
  #later(endpoint: EndpointQueue, ms: number, label: string, run: () => void): void {
    const forget = this.#state.clock.after(ms, label, () => {
      endpoint.sleeps.delete(forget)
      run()
    })
    endpoint.sleeps.add(forget)
  }

  /** When the pause of an endpoint is over, there may be something to send. */
  #awaitPause(endpoint: EndpointQueue): void {
    const ms = (endpoint.pause?.until ?? 0) - this.#state.clock.now()
    if (ms > 0 && Number.isFinite(ms)) this.#later(endpoint, ms, 'endpoint pause', () => this.wake(endpoint))
  }

  #enqueue(endpoint: EndpointQueue): void {
    if (endpoint.inLine) return
    endpoint.inLine = true
    this.#line.add(endpoint)
  }

  #pump(): void {
    const { rules, clock } = this.#state
    while (this.#ledger.counts.underWay < rules.concurrency.state) {
      const endpoint = this.#line.take()
      if (!endpoint) return
      endpoint.inLine = false
      const queued = endpoint.gone ? undefined : takeNext(endpoint, rules, clock.now(), this.#gate.durable)
      if (!queued) continue
      this.#enqueue(endpoint)
      if (rules.isOn(endpoint.webhook)) this.#begin(endpoint, queued)
      else this.#turnedOff(endpoint, queued)
    }
  }

  #turnedOff(endpoint: EndpointQueue, queued: QueuedDelivery): void {
    if (queued.attempts.length > 0 && !queued.occurrence.test) endpoint.open--
    this.#ledger.settle(endpoint, queued, 'dropped', this.#state.rules.logLimit)
  }

  #begin(endpoint: EndpointQueue, queued: QueuedDelivery): void {
    this.#ledger.goOut(queued)
    if (isOpening(queued)) {
      endpoint.open++
      endpoint.first++
    }
    const breaker = new Breaker()
    this.#posting.add(breaker)
    const sure = this.#state.changes.sure()
    if (this.#poster && !sure) return this.#post(this.#poster, endpoint, queued, breaker)
    this.#loading ??= loadPoster()
    const ours = sure?.then(
      () => true,
      () => false,
    )
    // However long loading takes, an advance waits for it, and only then runs out of timeout.
    const loaded = Promise.all([this.#loading, ours ?? true]).then(([poster, isOurs]) => {
      this.#poster = poster
      if (isOurs) this.#post(poster, endpoint, queued, breaker)
    })
    void this.#state.clock.track(loaded)
  }

  #post(poster: Poster, endpoint: EndpointQueue, queued: QueuedDelivery, breaker: Breaker): void {
    const landed = this.#state.clock.busy({ patienceMs })
    void attempt(this.#state, poster, queued, breaker).then((result) => {
      landed()
      // Unless `breakOff()` took it out.
      if (this.#posting.delete(breaker)) this.#received(endpoint, queued, result)
    })
  }

  #received(endpoint: EndpointQueue, queued: QueuedDelivery, result: Attempt): void {
    if (isOpening(queued)) endpoint.first--
    queued.attempts.push(result)
    this.#continue(endpoint, queued, result)
    this.wake(endpoint)
  }

  #continue(endpoint: EndpointQueue, queued: QueuedDelivery, last: Attempt): void {
    const { rules } = this.#state
    const again = last.number < queued.attemptsMost && rules.retries(last)
    if (!again || endpoint.gone) return this.#end(endpoint, queued, again ? 'dropped' : 'failed')
    this.#ledger.comeBack(endpoint, queued)
    this.queue(endpoint, queued, rules.backoffMs(last.number), 'delivery retry')
  }

  /** `otherwise`: what becomes of a delivery none of whose attempts succeeded. */
  #end(endpoint: EndpointQueue, queued: QueuedDelivery, otherwise: 'failed' | 'dropped'): void {
    const { rules, clock } = this.#state
    const delivered = queued.attempts.some(({ outcome }) => outcome === 'delivered')
    this.#ledger.settle(endpoint, queued, delivered ? 'delivered' : otherwise, rules.logLimit)
    // Samples tell nothing of how an endpoint does with what happens, and of a removed webhook nobody asks any more.
    if (queued.occurrence.test || endpoint.gone) return
    endpoint.open--
    this.#count(endpoint, delivered)
    if (endpoint.failures.inARow >= rules.endpointPause.after && !isPaused(endpoint, clock.now()))
      this.#pause(endpoint)
  }

  /** What failed at another URL is not held against this one. */
  #count(endpoint: EndpointQueue, delivered: boolean): void {
    const { failures, webhook } = endpoint
    const url = webhook.endpointUrl
    const inARow = delivered ? 0 : (failures.url === url ? failures.inARow : 0) + 1
    if (inARow === failures.inARow && url === failures.url) return
    endpoint.failures = { inARow, url }
    this.#state.changes.mark('endpoint', webhook.id)
  }

  #pause(endpoint: EndpointQueue): void {
    const { rules, clock, changes, webhooks } = this.#state
    const { id, endpointUrl: url } = endpoint.webhook
    endpoint.failures = { inARow: 0, url }
    endpoint.pause = { until: clock.now() + rules.endpointPause.ms, url }
    changes.mark('endpoint', id)
    if (rules.pauseTurnsOff) {
      endpoint.webhook.isActive = false
      webhooks.touch(id)
    }
    this.#awaitPause(endpoint)
  }
}

/** The first attempt of a live delivery; samples take part in no order and no limit of a webhook. */
const isOpening = ({ attempts, occurrence }: QueuedDelivery): boolean =>
  attempts.length === 0 && !occurrence.test
