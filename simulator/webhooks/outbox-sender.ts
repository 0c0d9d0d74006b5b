/** Sends what waits in lanes: as many attempts at a time as the rules allow, in turns, so that no lane holds up another. */
import type { World } from '../world/world.ts'
import type { Attempt } from './delivery.ts'
import { Breaker } from './guard/breaker.ts'
import type { Poster } from './guard/guard.ts'
import { attempt } from './outbox-attempt.ts'
import { isPaused, takeNext, type Lane, type Parcel } from './outbox-lane.ts'
import type { Ledger } from './outbox-ledger.ts'
import { loadPoster } from './outbox-post.ts'
import { createQueue } from './queue.ts'

/** Real time that an advance of the clock gives an endpoint to answer in, before it leaves it behind. */
const patienceMs = 150

export class Sender {
  readonly #world: World
  readonly #ledger: Ledger
  /** Lanes that may have something to send. */
  readonly #line = createQueue<Lane>()
  readonly #flying = new Set<Breaker>()
  #loading: Promise<Poster> | undefined
  #poster: Poster | undefined

  constructor(world: World, ledger: Ledger) {
    this.#world = world
    this.#ledger = ledger
  }

  /** There may be something to send for this webhook. */
  wake(lane: Lane): void {
    this.#enlist(lane)
    this.#pump()
  }

  /** Runs later on the clock of the world, unless the lane is gone by then; at once when `ms` is not positive. */
  later(lane: Lane, ms: number, label: string, run: () => void): void {
    if (ms <= 0) return run()
    const forget = this.#world.clock.after(ms, label, () => {
      lane.sleeps.delete(forget)
      run()
    })
    lane.sleeps.add(forget)
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

  #enlist(lane: Lane): void {
    if (lane.inLine) return
    lane.inLine = true
    this.#line.add(lane)
  }

  #pump(): void {
    const { rules, clock } = this.#world
    while (this.#ledger.counts.underWay < rules.concurrency.world) {
      const lane = this.#line.take()
      if (!lane) return
      lane.inLine = false
      const parcel = lane.gone ? undefined : takeNext(lane, rules, clock.now())
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
    this.#ledger.move(parcel, 'under-way')
    lane.begun.add(parcel)
    if (isOpening(parcel)) {
      lane.open++
      lane.first++
    }
    const breaker = new Breaker()
    this.#flying.add(breaker)
    if (this.#poster) return this.#fly(this.#poster, lane, parcel, breaker)
    this.#loading ??= loadPoster()
    // However long loading takes, an advance waits for it, and only then runs out of patience.
    const loaded = this.#loading.then((poster) => {
      this.#poster = poster
      this.#fly(poster, lane, parcel, breaker)
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
    this.#ledger.move(parcel, 'waiting')
    this.later(lane, rules.backoffMs(last.number), 'delivery retry', () => {
      const queue = parcel.occurrence.test ? lane.urgent : lane.due
      queue.add(parcel)
      this.wake(lane)
    })
  }

  /** `otherwise`: what becomes of a delivery none of whose attempts succeeded. */
  #end(lane: Lane, parcel: Parcel, otherwise: 'failed' | 'dropped'): void {
    const { rules, clock } = this.#world
    const delivered = parcel.attempts.some(({ outcome }) => outcome === 'delivered')
    this.#ledger.settle(lane, parcel, delivered ? 'delivered' : otherwise, rules.logLimit)
    // Samples tell nothing of how an endpoint does with what happens, and of a removed webhook nobody asks any more.
    if (parcel.occurrence.test || lane.gone) return
    lane.open--
    count(lane, delivered)
    if (lane.failures.inARow >= rules.endpointPause.after && !isPaused(lane, clock.now())) this.#pause(lane)
  }

  #pause(lane: Lane): void {
    const { endpointPause, pauseTurnsOff } = this.#world.rules
    const { ms } = endpointPause
    const url = lane.webhook.endpointUrl
    lane.failures = { inARow: 0, url }
    lane.pause = { until: this.#world.clock.now() + ms, url }
    if (pauseTurnsOff) lane.webhook.isActive = false
    if (Number.isFinite(ms)) this.later(lane, ms, 'endpoint pause', () => this.wake(lane))
  }
}

/** The first attempt of a live delivery; samples take part in no order and no limit of a webhook. */
const isOpening = ({ attempts, occurrence }: Parcel): boolean => attempts.length === 0 && !occurrence.test

/** What failed at another URL is not held against this one. */
function count(lane: Lane, delivered: boolean): void {
  const url = lane.webhook.endpointUrl
  const before = lane.failures.url === url ? lane.failures.inARow : 0
  lane.failures = { inARow: delivered ? 0 : before + 1, url }
}
