/** Delivers what happens to the agents of a world. */
import type { Random } from '../world/random.ts'
import type { World } from '../world/world.ts'
import type { Delivery, Occurrence, Outbox } from './delivery.ts'
import { createLane, findIn, isPaused, logOf, unsettledOf, type Lane, type Parcel } from './outbox-lane.ts'
import { createLedger, noCounts } from './outbox-ledger.ts'
import { Sender } from './outbox-sender.ts'
import type { Webhook } from './webhook.ts'

/** `world` is asked only once something is emitted, when it is whole. Nothing is made before there is a delivery. */
export function createOutbox(world: () => World): Outbox {
  let office: Office | undefined
  const open = (): Office => (office ??= new Office(world()))
  return {
    // Where nobody listens, an event costs nothing.
    emit: (occurrence) => (!office && world().webhooks.size === 0 ? [] : open().emit(occurrence)),
    test: (webhook) => open().test(webhook),
    again: (deliveryId, how) => office?.again(deliveryId, how),
    deliveriesOf: (webhookId) => office?.deliveriesOf(webhookId) ?? [],
    changed: (webhookId) => office?.changed(webhookId),
    forget: (webhookId) => office?.forget(webhookId),
    get counts() {
      return office?.counts ?? noCounts
    },
    clear: () => office?.clear(),
    // Opened only to be shut: what is emitted afterwards goes nowhere either.
    close: () => open().close(),
  }
}

class Office implements Outbox {
  readonly #world: World
  readonly #ids: Random
  readonly #lanes = new Map<string, Lane>()
  readonly #ledger = createLedger()
  readonly #sender: Sender
  #made = 0
  #closed = false

  constructor(world: World) {
    this.#world = world
    // Ids have a generator of their own, so that deliveries do not change what chat makes of a seed.
    this.#ids = world.random.fork('deliveries')
    this.#sender = new Sender(world, this.#ledger)
  }

  get counts() {
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
    const unsettled = unsettledOf(lane)
    endLane(lane)
    for (const parcel of unsettled)
      if (parcel.state === 'waiting') this.#ledger.settle(lane, parcel, 'dropped', 0)
  }

  clear(): void {
    for (const lane of this.#lanes.values()) endLane(lane)
    this.#lanes.clear()
    this.#ledger.clear()
    this.#sender.breakOff()
  }

  close(): void {
    this.#closed = true
    this.clear()
    this.#sender.close()
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
    const { rules } = this.#world
    const once = occurrence.test && !rules.testsAsLive
    const parcel: Parcel = {
      id: id ?? rules.deliveryId(occurrence.test, this.#ids),
      webhook,
      occurrence,
      attempts: [],
      state: 'waiting',
      sequence: ++this.#made,
      attemptsMost: once ? 1 : rules.attemptsMost,
      logged: !once,
    }
    if (this.#closed) return { ...parcel, state: 'dropped' }
    const lane = this.#laneOf(webhook)
    this.#ledger.enter(parcel)
    this.#enqueue(lane, parcel)
    return parcel
  }

  /** Over the limit a delivery is dropped; what comes in a pause has failed, under the reading that says so. */
  #enqueue(lane: Lane, parcel: Parcel): void {
    const { rules, clock } = this.#world
    const { test } = parcel.occurrence
    const arrive = (): void => {
      const queue = test ? lane.urgent : lane.waiting
      queue.add(parcel)
      this.#sender.wake(lane)
    }
    if (!test && lane.waiting.size >= rules.queueLimit) {
      // Counted only: a flood is not to wash everything else out of the log.
      parcel.logged = false
      return this.#ledger.settle(lane, parcel, 'dropped', rules.logLimit)
    }
    if (!test && rules.pausedEvents === 'dropped' && isPaused(lane, clock.now()))
      return this.#ledger.settle(lane, parcel, 'failed', rules.logLimit)
    if (rules.firstWaitMs <= 0) return arrive()
    lane.begun.add(parcel)
    this.#sender.later(lane, rules.firstWaitMs, 'delivery', arrive)
  }
}

function isFor({ rules }: World, webhook: Webhook, { agent, event }: Occurrence): boolean {
  return webhook.agent === agent && rules.isOn(webhook) && rules.selects(webhook, event)
}

/** A sample event, asked for by somebody. */
function sampleFor(world: World, webhook: Webhook): Occurrence {
  const { rules, clock } = world
  const event = rules.testEvent(webhook)
  const payload = rules.payload(event, world)
  return {
    event,
    agent: webhook.agent,
    at: clock.date(),
    payload: rules.testFlag ? { ...payload, _test: true } : payload,
    test: true,
  }
}

/** Nothing goes out of it any more, and nothing sleeps for it. */
function endLane(lane: Lane): void {
  lane.gone = true
  for (const forget of lane.sleeps) forget()
  for (const queue of [lane.waiting, lane.due, lane.urgent]) queue.clear()
}
