/** Creates deliveries from events and queues them by endpoint. */
import type { Limit } from '../../limits.ts'
import { remembered } from '../../tenant/book.ts'
import type { Random } from '../../tenant/random.ts'
import type { TenantState } from '../../rules/tenant-state.ts'
import type { WebhookDelivery, Occurrence } from '../../tenant/webhooks/delivery.ts'
import {
  type EndpointHealth,
  type DeliveryTotals,
  type Outbox,
  type OutboxCounts,
  createSentLog,
  createEndpointQueue,
  deliveryKey,
  endEndpointQueue,
  findIn,
  isPaused,
  loggedDeliveriesOf,
  type EndpointQueue,
  type QueuedDelivery,
  type SentLog,
} from '../../tenant/webhooks/endpoint-queue.ts'
import { allEndpoints, DeliveryLog } from './delivery-log.ts'
import { DeliverySender } from './sender.ts'
import type { Webhook } from '../../tenant/webhooks/webhook.ts'

function isFor({ rules }: TenantState, webhook: Webhook, { agent, event }: Occurrence): boolean {
  return webhook.agent === agent && rules.isOn(webhook) && rules.selects(webhook, event)
}

function sampleFor(state: TenantState, webhook: Webhook): Occurrence {
  const { rules, clock } = state
  const event = rules.testEvent(webhook)
  const payload = rules.payload(event, state)
  return {
    event,
    agent: webhook.agent,
    at: clock.date(),
    payload: rules.testFlag ? { ...payload, _test: true } : payload,
    test: true,
  }
}

/** Shared by the many that may wait. */
const noAttempts: QueuedDelivery['attempts'] = []

export class DeliveryScheduler implements Outbox {
  readonly #state: TenantState
  readonly #limit: Limit
  /** For ids, separate, so that deliveries do not change the ids of chat. */
  readonly random: Random
  readonly sent: SentLog = createSentLog()
  readonly #queues = new Map<string, EndpointQueue>()
  readonly #log: DeliveryLog
  readonly #sender: DeliverySender
  #made = 0
  #closed = false

  /** `limit`: how many deliveries the logs keep, and for how long. */
  constructor(state: TenantState, limit: Limit, random: Random) {
    this.#state = state
    this.#limit = limit
    this.random = random
    this.#log = new DeliveryLog(state, limit)
    this.#sender = new DeliverySender(state, this.#log)
  }

  get counts(): OutboxCounts {
    return this.#log.counts
  }

  get forgotten(): number {
    return this.#log.ended.forgotten
  }

  emit(occurrence: Occurrence): readonly WebhookDelivery[] {
    // Without a webhook, an event costs nothing.
    if (this.#made === 0 && this.#state.webhooks.size === 0) return []
    const made: WebhookDelivery[] = []
    const now = this.#state.clock.now()
    for (const webhook of this.#state.rules.targets(this.#state))
      if (isFor(this.#state, webhook, occurrence) && this.#admits(webhook, occurrence, now))
        made.push(this.#create(webhook, occurrence))
    return made
  }

  test(webhook: Webhook): WebhookDelivery {
    return this.#create(webhook, sampleFor(this.#state, webhook))
  }

  again(deliveryId: string, { sameId }: { sameId: boolean }): WebhookDelivery | undefined {
    const queued = this.#find(deliveryId)
    if (!queued) return undefined
    const { webhook, occurrence } = queued
    const id = sameId ? queued.id : undefined
    if (this.#admits(webhook, occurrence, this.#state.clock.now()))
      return this.#create(webhook, occurrence, id)
    return { ...this.#newDelivery(webhook, occurrence, id), state: 'dropped' }
  }

  deliveriesOf(webhookId: string): readonly WebhookDelivery[] {
    const endpoint = this.#queues.get(webhookId)
    return endpoint ? loggedDeliveriesOf(endpoint) : []
  }

  changed(webhookId: string): void {
    const endpoint = this.#queues.get(webhookId)
    if (endpoint) this.#sender.wake(endpoint)
  }

  pause(webhook: Webhook): void {
    this.#sender.pause(this.#queueOf(webhook))
  }

  forget(webhookId: string): void {
    const endpoint = this.#queues.get(webhookId)
    if (!endpoint) return
    this.#queues.delete(webhookId)
    this.#log.dropQueue(endpoint)
    endEndpointQueue(endpoint)
  }

  clear(): void {
    this.sent.clear()
    for (const endpoint of this.#queues.values()) this.#log.dropQueue(endpoint)
    this.#end()
    this.#state.changes.changed('endpoint', allEndpoints)
  }

  close(): void {
    this.#closed = true
    this.#end()
    this.#sender.close()
  }

  totals(): DeliveryTotals | undefined {
    const { ended } = this.#log
    return this.#made + ended.dropped > 0 ? { made: this.#made, ended } : undefined
  }

  health(webhookId: string): EndpointHealth | undefined {
    const endpoint = this.#queues.get(webhookId)
    return endpoint && (endpoint.failures.inARow > 0 || endpoint.pause) ? endpoint : undefined
  }

  *keys(): Generator<string> {
    for (const { known } of this.#queues.values())
      for (const queued of known.values()) yield deliveryKey(queued)
  }

  queued(key: string): QueuedDelivery | undefined {
    const end = key.lastIndexOf('/')
    return this.#queues.get(key.slice(0, end))?.known.get(Number(key.slice(end + 1)))
  }

  restoreTotals({ made, ended }: DeliveryTotals): void {
    this.#made = Math.max(this.#made, made)
    this.#log.restoreCounts(ended)
  }

  restoreHealth(webhook: Webhook, { failures, pause }: EndpointHealth): void {
    Object.assign(this.#queueOf(webhook), { failures, pause })
  }

  restoreDelivery(queued: QueuedDelivery): void {
    this.#log.restore(this.#queueOf(queued.webhook), queued)
  }

  wake(): void {
    for (const endpoint of this.#queues.values()) this.#sender.resume(endpoint)
  }

  /** Aborts attempts in flight. */
  #end(): void {
    for (const endpoint of this.#queues.values()) endEndpointQueue(endpoint)
    this.#queues.clear()
    this.#log.clear()
    this.#sender.abort()
  }

  #queueOf(webhook: Webhook): EndpointQueue {
    return remembered(this.#queues, webhook.id, () => createEndpointQueue(webhook))
  }

  /** A linear search: only tests look deliveries up by id. */
  #find(id: string): QueuedDelivery | undefined {
    const found = [...this.#queues.values()].flatMap((endpoint) => findIn(endpoint, id) ?? [])
    return found.reduce<QueuedDelivery | undefined>(
      (youngest, queued) => (youngest && youngest.sequence > queued.sequence ? youngest : queued),
      undefined,
    )
  }

  /**
   * Whether the queue of a webhook has room. A delivery without room is only counted: it is never made, because one turn
   * may cause very many of them, and a flood must not evict everything else from the log.
   */
  #admits(webhook: Webhook, { test }: Occurrence, now: number): boolean {
    if (test || this.#closed) return true
    const endpoint = this.#queueOf(webhook)
    this.#dropOld(endpoint, now)
    if (!this.#isFull(endpoint)) return true
    this.#log.countRejected()
    return false
  }

  #create(webhook: Webhook, occurrence: Occurrence, id?: string): QueuedDelivery {
    const queued = this.#newDelivery(webhook, occurrence, id)
    if (!this.#closed) this.#enter(this.#queueOf(webhook), queued)
    return queued
  }

  #newDelivery(webhook: Webhook, occurrence: Occurrence, id?: string): QueuedDelivery {
    const { rules, clock } = this.#state
    const once = occurrence.test && !rules.testsAsLive
    return {
      id: id ?? rules.deliveryId(occurrence.test, this.random),
      webhook,
      occurrence,
      attempts: noAttempts,
      state: this.#closed ? 'dropped' : 'waiting',
      sequence: ++this.#made,
      since: clock.now(),
      due: null,
      attemptsMost: once ? 1 : rules.attemptsMost,
      logged: !once,
    }
  }

  /** During a pause, fails it where the interpretation says so. */
  #enter(endpoint: EndpointQueue, queued: QueuedDelivery): void {
    const { rules } = this.#state
    this.#log.enter(endpoint, queued)
    if (!queued.occurrence.test && rules.pausedEvents === 'dropped' && isPaused(endpoint, queued.since))
      return this.#log.settle(endpoint, queued, 'failed', rules.logLimit)
    this.#sender.queue(endpoint, queued, rules.firstWaitMs, 'delivery')
  }

  #isFull({ waiting }: EndpointQueue): boolean {
    return waiting.size >= this.#state.rules.queueLimit || this.#log.isFull
  }

  /** Drops deliveries that were never tried and exceed the retention. */
  #dropOld(endpoint: EndpointQueue, now: number): void {
    const { rules } = this.#state
    const isOld = ({ since }: QueuedDelivery): boolean => since + this.#limit.ageMs <= now
    for (let { first } = endpoint.waiting; first && isOld(first); { first } = endpoint.waiting) {
      endpoint.waiting.take()
      this.#log.settle(endpoint, first, 'dropped', rules.logLimit)
    }
  }
}
