/** Makes deliveries of what happens, and knows those of each webhook. */
import type { Limit } from '../world/book.ts'
import type { Random } from '../world/random.ts'
import type { TenantState } from '../world/world.ts'
import type { Delivery, Occurrence, OutboxCounts } from './delivery.ts'
import { createGate, type Gate } from './outbox-gate.ts'
import type { Health, Totals } from './outbox-kept.ts'
import {
  createLane,
  endLane,
  findIn,
  isPaused,
  isReady,
  logOf,
  type Lane,
  type Parcel,
} from './outbox-lane.ts'
import { everyLane, Ledger } from './outbox-ledger.ts'
import { isFor, sampleFor } from './outbox-occurrence.ts'
import { Sender } from './outbox-sender.ts'
import type { Webhook } from './webhook.ts'

export class Office {
  readonly #world: TenantState
  readonly #limit: Limit
  readonly #ids: Random
  readonly #lanes = new Map<string, Lane>()
  readonly #ledger: Ledger
  readonly #gate: Gate
  readonly #sender: Sender
  #made = 0
  #closed = false

  constructor(state: TenantState, limit: Limit) {
    this.#world = state
    this.#limit = limit
    // Ids have a generator of their own, so that deliveries do not change what chat makes of a seed.
    this.#ids = state.random.fork('deliveries')
    this.#ledger = new Ledger(state, limit)
    this.#gate = createGate(state, (lane) => this.#sender.wake(lane))
    this.#sender = new Sender(state, this.#ledger, this.#gate)
  }

  get counts(): OutboxCounts {
    return this.#ledger.counts
  }

  emit(occurrence: Occurrence): readonly Delivery[] {
    const made: Delivery[] = []
    for (const webhook of this.#world.rules.targets(this.#world))
      if (isFor(this.#world, webhook, occurrence)) made.push(this.#create(webhook, occurrence))
    return made
  }

  test(webhook: Webhook): Delivery {
    return this.#create(webhook, sampleFor(this.#world, webhook))
  }

  again(deliveryId: string, { sameId }: { sameId: boolean }): Delivery | undefined {
    const parcel = this.#find(deliveryId)
    return parcel && this.#create(parcel.webhook, parcel.occurrence, sameId ? parcel.id : undefined)
  }

  deliveriesOf(webhookId: string): readonly Delivery[] {
    const lane = this.#lanes.get(webhookId)
    return lane ? logOf(lane) : []
  }

  changed(webhookId: string): void {
    const lane = this.#lanes.get(webhookId)
    if (lane) this.#sender.wake(lane)
  }

  forget(webhookId: string): void {
    const lane = this.#lanes.get(webhookId)
    if (!lane) return
    this.#lanes.delete(webhookId)
    this.#ledger.dropLane(lane)
    endLane(lane)
  }

  clear(): void {
    for (const lane of this.#lanes.values()) this.#ledger.dropLane(lane)
    this.#end()
    this.#world.changes.mark('lane', everyLane)
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
    const lane = this.#lanes.get(webhookId)
    return lane && (lane.failures.inARow > 0 || lane.pause) ? lane : undefined
  }

  parcel(key: string): Parcel | undefined {
    const end = key.lastIndexOf('/')
    return this.#lanes.get(key.slice(0, end))?.known.get(Number(key.slice(end + 1)))
  }

  isReady(): boolean {
    const { waiting, underWay } = this.#ledger.counts
    const now = this.#world.clock.now()
    return underWay > 0 || (waiting > 0 && this.#lanes.values().some((lane) => isReady(lane, now)))
  }

  readTotals({ made, ended }: Totals): void {
    this.#made = Math.max(this.#made, made)
    this.#gate.kept(this.#made)
    this.#ledger.readEnded(ended)
  }

  readHealth(webhook: Webhook, { failures, pause }: Health): void {
    Object.assign(this.#laneOf(webhook), { failures, pause })
  }

  readParcel(parcel: Parcel): void {
    this.#ledger.readBack(this.#laneOf(parcel.webhook), parcel)
  }

  wake(): void {
    for (const lane of this.#lanes.values()) this.#sender.resume(lane)
  }

  /** What is under way is broken off. */
  #end(): void {
    for (const lane of this.#lanes.values()) endLane(lane)
    this.#lanes.clear()
    this.#ledger.clear()
    this.#sender.breakOff()
  }

  #laneOf(webhook: Webhook): Lane {
    const known = this.#lanes.get(webhook.id)
    if (known) return known
    const lane = createLane(webhook)
    this.#lanes.set(webhook.id, lane)
    return lane
  }

  /** Looks through everything: only a laboratory asks for a delivery by its id, and no index is kept for it. */
  #find(id: string): Parcel | undefined {
    const found = [...this.#lanes.values()].flatMap((lane) => findIn(lane, id) ?? [])
    return found.reduce<Parcel | undefined>(
      (youngest, parcel) => (youngest && youngest.sequence > parcel.sequence ? youngest : parcel),
      undefined,
    )
  }

  #create(webhook: Webhook, occurrence: Occurrence, id?: string): Parcel {
    const { rules, clock } = this.#world
    const once = occurrence.test && !rules.testsAsLive
    const sequence = ++this.#made
    const parcel: Parcel = {
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
    if (!this.#closed) this.#enter(this.#laneOf(webhook), parcel)
    return parcel
  }

  /** Over the limit a delivery is dropped; what comes in a pause has failed, under the reading that says so. */
  #enter(lane: Lane, parcel: Parcel): void {
    const { rules, clock } = this.#world
    const { test } = parcel.occurrence
    if (!test) this.#dropOld(lane)
    if (!test && this.#isFull(lane)) {
      // Counted only: a flood is not to wash everything else out of the log.
      parcel.state = 'dropped'
      return this.#ledger.turnAway()
    }
    this.#ledger.enter(lane, parcel)
    if (!test && rules.pausedEvents === 'dropped' && isPaused(lane, clock.now()))
      return this.#ledger.settle(lane, parcel, 'failed', rules.logLimit)
    this.#gate.expect(parcel.sequence, lane)
    this.#sender.queue(lane, parcel, rules.firstWaitMs, 'delivery')
  }

  #isFull({ waiting }: Lane): boolean {
    return waiting.size >= this.#world.rules.queueLimit || this.#ledger.counts.waiting >= this.#limit.most
  }

  /** What nobody took for so long, and was never tried, is nobody's any more. */
  #dropOld(lane: Lane): void {
    const { rules, clock } = this.#world
    const isOld = ({ since }: Parcel): boolean => since + this.#limit.ageMs <= clock.now()
    for (let { first } = lane.waiting; first && isOld(first); { first } = lane.waiting) {
      lane.waiting.take()
      this.#ledger.settle(lane, first, 'dropped', rules.logLimit)
    }
  }
}
