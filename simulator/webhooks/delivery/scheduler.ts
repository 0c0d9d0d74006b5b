/** Makes deliveries of what happens, and knows those of each webhook. */
import type { Limit } from '../../tenant/book.ts'
import type { Random } from '../../tenant/random.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import type { Delivery, Occurrence } from './delivery.ts'
import { createGate, type Gate } from './durability.ts'
import type { Health, Totals, OutboxCounts } from './outbox-kept.ts'
import {
  createEndpointQueue,
  endEndpointQueue,
  findIn,
  isPaused,
  isReady,
  logOf,
  type EndpointQueue,
  type QueuedDelivery,
} from './endpoint-queue.ts'
import { everyEndpoint, Ledger } from './delivery-log.ts'
import { isFor, sampleFor } from './outbox-occurrence.ts'
import { Sender } from './sender.ts'
import type { Webhook } from '../webhook.ts'

export class DeliveryScheduler {
  readonly #state: TenantState
  readonly #limit: Limit
  readonly #ids: Random
  readonly #lanes = new Map<string, EndpointQueue>()
  readonly #ledger: Ledger
  readonly #gate: Gate
  readonly #sender: Sender
  #made = 0
  #closed = false

  constructor(state: TenantState, limit: Limit) {
    this.#state = state
    this.#limit = limit
    // Ids have a generator of their own, so that deliveries do not change what chat makes of a seed.
    this.#ids = state.random.fork('deliveries')
    this.#ledger = new Ledger(state, limit)
    this.#gate = createGate(state, (endpoint) => this.#sender.wake(endpoint))
    this.#sender = new Sender(state, this.#ledger, this.#gate)
  }

  get counts(): OutboxCounts {
    return this.#ledger.counts
  }

  emit(occurrence: Occurrence): readonly Delivery[] {
    const made: Delivery[] = []
    for (const webhook of this.#state.rules.targets(this.#state))
      if (isFor(this.#state, webhook, occurrence)) made.push(this.#create(webhook, occurrence))
    return made
  }

  test(webhook: Webhook): Delivery {
    return this.#create(webhook, sampleFor(this.#state, webhook))
  }

  again(deliveryId: string, { sameId }: { sameId: boolean }): Delivery | undefined {
    const queued = this.#find(deliveryId)
    return queued && this.#create(queued.webhook, queued.occurrence, sameId ? queued.id : undefined)
  }

  deliveriesOf(webhookId: string): readonly Delivery[] {
    const endpoint = this.#lanes.get(webhookId)
    return endpoint ? logOf(endpoint) : []
  }

  changed(webhookId: string): void {
    const endpoint = this.#lanes.get(webhookId)
    if (endpoint) this.#sender.wake(endpoint)
  }

  forget(webhookId: string): void {
    const endpoint = this.#lanes.get(webhookId)
    if (!endpoint) return
    this.#lanes.delete(webhookId)
    this.#ledger.dropLane(endpoint)
    endEndpointQueue(endpoint)
  }

  clear(): void {
    for (const endpoint of this.#lanes.values()) this.#ledger.dropLane(endpoint)
    this.#end()
    this.#state.changes.mark('endpoint', everyEndpoint)
  }

  close(): void {
    this.#closed = true
    this.#gate.close()
    this.#end()
    this.#sender.close()
  }

  totals(): Totals {
    return { made: this.#made, ended: this.#ledger.ended }
  }

  health(webhookId: string): Health | undefined {
    const endpoint = this.#lanes.get(webhookId)
    return endpoint && (endpoint.failures.inARow > 0 || endpoint.pause) ? endpoint : undefined
  }

  queued(key: string): QueuedDelivery | undefined {
    const end = key.lastIndexOf('/')
    return this.#lanes.get(key.slice(0, end))?.known.get(Number(key.slice(end + 1)))
  }

  isReady(): boolean {
    const { waiting, underWay } = this.#ledger.counts
    const now = this.#state.clock.now()
    return underWay > 0 || (waiting > 0 && this.#lanes.values().some((endpoint) => isReady(endpoint, now)))
  }

  readTotals({ made, ended }: Totals): void {
    this.#made = Math.max(this.#made, made)
    this.#gate.kept(this.#made)
    this.#ledger.readEnded(ended)
  }

  readHealth(webhook: Webhook, { failures, pause }: Health): void {
    Object.assign(this.#laneOf(webhook), { failures, pause })
  }

  readQueuedDelivery(queued: QueuedDelivery): void {
    this.#ledger.readBack(this.#laneOf(queued.webhook), queued)
  }

  wake(): void {
    for (const endpoint of this.#lanes.values()) this.#sender.resume(endpoint)
  }

  /** What is under way is broken off. */
  #end(): void {
    for (const endpoint of this.#lanes.values()) endEndpointQueue(endpoint)
    this.#lanes.clear()
    this.#ledger.clear()
    this.#sender.breakOff()
  }

  #laneOf(webhook: Webhook): EndpointQueue {
    const known = this.#lanes.get(webhook.id)
    if (known) return known
    const endpoint = createEndpointQueue(webhook)
    this.#lanes.set(webhook.id, endpoint)
    return endpoint
  }

  /** Looks through everything: only a laboratory asks for a delivery by its id, and no index is kept for it. */
  #find(id: string): QueuedDelivery | undefined {
    const found = [...this.#lanes.values()].flatMap((endpoint) => findIn(endpoint, id) ?? [])
    return found.reduce<QueuedDelivery | undefined>(
      (youngest, queued) => (youngest && youngest.sequence > queued.sequence ? youngest : queued),
      undefined,
    )
  }

  #create(webhook: Webhook, occurrence: Occurrence, id?: string): QueuedDelivery {
    const { rules, clock } = this.#state
    const once = occurrence.test && !rules.testsAsLive
    const sequence = ++this.#made
    const queued: QueuedDelivery = {
      id: id ?? rules.deliveryId(occurrence.test, this.#ids),
      webhook,
      occurrence,
      attempts: [],
      state: this.#closed ? 'dropped' : 'waiting',
      sequence,
      key: `${webhook.id}/${sequence}`,
      since: clock.now(),
      due: null,
      attemptsMost: once ? 1 : rules.attemptsMost,
      logged: !once,
    }
    if (!this.#closed) this.#enter(this.#laneOf(webhook), queued)
    return queued
  }

  /** Over the limit a delivery is dropped; what comes in a pause has failed, under the reading that says so. */
  #enter(endpoint: EndpointQueue, queued: QueuedDelivery): void {
    const { rules, clock } = this.#state
    const { test } = queued.occurrence
    if (!test) this.#dropOld(endpoint)
    if (!test && this.#isFull(endpoint)) {
      // Counted only: a flood is not to wash everything else out of the log.
      queued.state = 'dropped'
      return this.#ledger.turnAway()
    }
    this.#ledger.enter(endpoint, queued)
    if (!test && rules.pausedEvents === 'dropped' && isPaused(endpoint, clock.now()))
      return this.#ledger.settle(endpoint, queued, 'failed', rules.logLimit)
    this.#gate.expect(queued.sequence, endpoint)
    this.#sender.queue(endpoint, queued, rules.firstWaitMs, 'delivery')
  }

  #isFull({ waiting }: EndpointQueue): boolean {
    return waiting.size >= this.#state.rules.queueLimit || this.#ledger.counts.waiting >= this.#limit.most
  }

  /** What nobody took for so long, and was never tried, is nobody's any more. */
  #dropOld(endpoint: EndpointQueue): void {
    const { rules, clock } = this.#state
    const isOld = ({ since }: QueuedDelivery): boolean => since + this.#limit.ageMs <= clock.now()
    for (let { first } = endpoint.waiting; first && isOld(first); { first } = endpoint.waiting) {
      endpoint.waiting.take()
      this.#ledger.settle(endpoint, first, 'dropped', rules.logLimit)
    }
  }
}
