/** Sends what waits in lanes: as many attempts at a time as the rules allow, in turns, so that no lane holds up another. */
import type { TenantState } from '../world/world.ts'
import type { Attempt } from './delivery.ts'
import { Breaker } from './guard/breaker.ts'
import type { Poster } from './guard/guard.ts'
import { attempt } from './outbox-attempt.ts'
import type { Gate } from './outbox-gate.ts'
import { isPaused, queueOf, takeNext, type Lane, type Parcel } from './outbox-lane.ts'
import type { Ledger } from './outbox-ledger.ts'
import { loadPoster } from './outbox-post.ts'
import { createQueue } from './queue.ts'

/** Real time that an advance of the clock gives an endpoint to answer in, before it leaves it behind. */
const patienceMs = 150

export class Sender {
  readonly #world: TenantState
  readonly #ledger: Ledger
  readonly #gate: Gate
  /** Lanes that may have something to send. */
  readonly #line = createQueue<Lane>()
  readonly #flying = new Set<Breaker>()
  #loading: Promise<Poster> | undefined
  #poster: Poster | undefined

  constructor(state: TenantState, ledger: Ledger, gate: Gate) {
    this.#world = state
    this.#ledger = ledger
    this.#gate = gate
  }

  /** There may be something to send for this webhook. */
  wake(lane: Lane): void {
    this.#enlist(lane)
    this.#pump()
  }

  /** It queues for its next attempt when so many ms have passed on the clock of the world. */
  queue(lane: Lane, parcel: Parcel, ms: number, label: string): void {
    const arrive = (): void => {
      parcel.due = null
      queueOf(lane, parcel).add(parcel)
      this.wake(lane)
    }
    if (ms <= 0) return arrive()
    parcel.due = this.#world.clock.now() + ms
    this.#later(lane, ms, label, arrive)
  }

  /**
   * Goes on with what was kept. Of an attempt that was under way nobody knows what came of it: it is none, and the
   * next one has its number.
   */
  resume(lane: Lane): void {
    const now = this.#world.clock.now()
    for (const parcel of lane.known.values()) {
      if (parcel.state !== 'waiting') continue
      if (parcel.attempts.length > 0 && !parcel.occurrence.test) lane.open++
      const ms = (parcel.due ?? 0) - now
      if (ms > 0) this.queue(lane, parcel, ms, parcel.attempts.length > 0 ? 'delivery retry' : 'delivery')
      else queueOf(lane, parcel).add(parcel)
    }
    this.#awaitPause(lane)
    this.wake(lane)
  }

  /** Breaks off what is under way; nobody hears of it any more. */
  breakOff(): void {
    const broken = [...this.#flying]
    this.#flying.clear()
    this.#line.clear()
    for (const breaker of broken) breaker.break()
  }

  close(): void {
    this.breakOff()
    void this.#loading?.then((poster) => poster.close())
  }

  /** Unless the lane is gone by then. */
  #later(lane: Lane, ms: number, label: string, run: () => void): void {
    const forget = this.#world.clock.after(ms, label, () => {
      lane.sleeps.delete(forget)
      run()
    })
    lane.sleeps.add(forget)
  }

  /** When the pause of an endpoint is over, there may be something to send. */
  #awaitPause(lane: Lane): void {
    const ms = (lane.pause?.until ?? 0) - this.#world.clock.now()
    if (ms > 0 && Number.isFinite(ms)) this.#later(lane, ms, 'endpoint pause', () => this.wake(lane))
  }

  #enlist(lane: Lane): void {
    if (lane.inLine) return
    lane.inLine = true
    this.#line.add(lane)
  }

  #pump(): void {
    const { rules, clock } = this.#world
    while (this.#ledger.counts.underWay < rules.concurrency.state) {
      const lane = this.#line.take()
      if (!lane) return
      lane.inLine = false
      const parcel = lane.gone ? undefined : takeNext(lane, rules, clock.now(), this.#gate.durable)
      if (!parcel) continue
      this.#enlist(lane)
      if (rules.isOn(lane.webhook)) this.#launch(lane, parcel)
      else this.#turnedOff(lane, parcel)
    }
  }

  #turnedOff(lane: Lane, parcel: Parcel): void {
    if (parcel.attempts.length > 0 && !parcel.occurrence.test) lane.open--
    this.#ledger.settle(lane, parcel, 'dropped', this.#world.rules.logLimit)
  }

  #launch(lane: Lane, parcel: Parcel): void {
    this.#ledger.goOut(parcel)
    if (isOpening(parcel)) {
      lane.open++
      lane.first++
    }
    const breaker = new Breaker()
    this.#flying.add(breaker)
    const sure = this.#world.changes.sure()
    if (this.#poster && !sure) return this.#fly(this.#poster, lane, parcel, breaker)
    this.#loading ??= loadPoster()
    const ours = sure?.then(
      () => true,
      () => false,
    )
    // However long loading takes, an advance waits for it, and only then runs out of patience.
    const loaded = Promise.all([this.#loading, ours ?? true]).then(([poster, isOurs]) => {
      this.#poster = poster
      if (isOurs) this.#fly(poster, lane, parcel, breaker)
    })
    void this.#world.clock.track(loaded)
  }

  #fly(poster: Poster, lane: Lane, parcel: Parcel, breaker: Breaker): void {
    const landed = this.#world.clock.busy({ patienceMs })
    void attempt(this.#world, poster, parcel, breaker).then((result) => {
      landed()
      // Unless `breakOff()` took it out.
      if (this.#flying.delete(breaker)) this.#land(lane, parcel, result)
    })
  }

  #land(lane: Lane, parcel: Parcel, result: Attempt): void {
    if (isOpening(parcel)) lane.first--
    parcel.attempts.push(result)
    this.#goOn(lane, parcel, result)
    this.wake(lane)
  }

  #goOn(lane: Lane, parcel: Parcel, last: Attempt): void {
    const { rules } = this.#world
    const again = last.number < parcel.attemptsMost && rules.retries(last)
    if (!again || lane.gone) return this.#end(lane, parcel, again ? 'dropped' : 'failed')
    this.#ledger.comeBack(lane, parcel)
    this.queue(lane, parcel, rules.backoffMs(last.number), 'delivery retry')
  }

  /** `otherwise`: what becomes of a delivery none of whose attempts succeeded. */
  #end(lane: Lane, parcel: Parcel, otherwise: 'failed' | 'dropped'): void {
    const { rules, clock } = this.#world
    const delivered = parcel.attempts.some(({ outcome }) => outcome === 'delivered')
    this.#ledger.settle(lane, parcel, delivered ? 'delivered' : otherwise, rules.logLimit)
    // Samples tell nothing of how an endpoint does with what happens, and of a removed webhook nobody asks any more.
    if (parcel.occurrence.test || lane.gone) return
    lane.open--
    this.#count(lane, delivered)
    if (lane.failures.inARow >= rules.endpointPause.after && !isPaused(lane, clock.now())) this.#pause(lane)
  }

  /** What failed at another URL is not held against this one. */
  #count(lane: Lane, delivered: boolean): void {
    const { failures, webhook } = lane
    const url = webhook.endpointUrl
    const inARow = delivered ? 0 : (failures.url === url ? failures.inARow : 0) + 1
    if (inARow === failures.inARow && url === failures.url) return
    lane.failures = { inARow, url }
    this.#world.changes.mark('lane', webhook.id)
  }

  #pause(lane: Lane): void {
    const { rules, clock, changes, webhooks } = this.#world
    const { id, endpointUrl: url } = lane.webhook
    lane.failures = { inARow: 0, url }
    lane.pause = { until: clock.now() + rules.endpointPause.ms, url }
    changes.mark('lane', id)
    if (rules.pauseTurnsOff) {
      lane.webhook.isActive = false
      webhooks.touch(id)
    }
    this.#awaitPause(lane)
  }
}

/** The first attempt of a live delivery; samples take part in no order and no limit of a webhook. */
const isOpening = ({ attempts, occurrence }: Parcel): boolean => attempts.length === 0 && !occurrence.test
