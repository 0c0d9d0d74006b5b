/**
 * Shares the turns of the event loop between places, such as tenants: work of one that takes long, or is much, does not
 * keep the others waiting for more than a share.
 */
import { afterThisTurn, machineElapsed } from './machine-time.ts'

type Work = () => void

/**
 * What a turn of the event loop spends on work as it comes, and as much again on work that waits, in ms. Node accepts one
 * connection in each turn: with 5 ms, a new client of a busy server waited 3 s.
 */
const shareMs = 1

interface Machine {
  elapsed(): number
  /** Runs once when everything else of this turn of the event loop has run. */
  afterThisTurn(run: () => void): void
}

/** What waits of one place. */
interface Queue {
  readonly work: Work[]
  /** What the place had so far, in ms, and at least as much as those that were served when it began to wait. */
  had: number
}

export class FairTurns {
  readonly #machine: Machine
  readonly #waiting = new Map<object, Queue>()
  readonly #had = new WeakMap<object, number>()
  /** What the place had that was served last. */
  #served = 0
  /** When the share of this turn is spent; null until something runs in it. */
  #until: number | null = null

  constructor(machine: Machine = { elapsed: machineElapsed, afterThisTurn }) {
    this.#machine = machine
  }

  /**
   * At once where nothing of its place waits and this turn has time left; else later, after what its place has waiting.
   * An error that it throws then reaches no caller.
   */
  run(place: object, work: Work): void {
    const now = this.#machine.elapsed()
    if (this.#until === null) this.#begin(now)
    const waiting = this.#waiting.get(place)
    if (waiting) waiting.work.push(work)
    else if (now < (this.#until ?? 0)) work()
    else this.#waiting.set(place, { work: [work], had: Math.max(this.#served, this.#had.get(place) ?? 0) })
  }

  #begin(now: number): void {
    this.#until = now + shareMs
    this.#machine.afterThisTurn(() => this.#end())
  }

  #end(): void {
    this.#until = null
    if (this.#waiting.size === 0) return
    // Also for what such work starts itself, which begins no turn of its own.
    const until = this.#machine.elapsed() + shareMs
    this.#until = until
    try {
      do this.#runNext()
      while (this.#waiting.size > 0 && this.#machine.elapsed() < until)
    } finally {
      this.#until = null
      if (this.#waiting.size > 0) this.#begin(this.#machine.elapsed())
    }
  }

  /** One item of the place that had least, so that small work does not wait for as many turns as there are places. */
  #runNext(): void {
    const next = this.#next()
    if (!next) return
    const [place, queue] = next
    const work = queue.work.shift()
    if (queue.work.length === 0) this.#waiting.delete(place)
    this.#served = queue.had
    const began = this.#machine.elapsed()
    try {
      work?.()
    } finally {
      queue.had += this.#machine.elapsed() - began
      this.#had.set(place, queue.had)
    }
  }

  /** The first of those that had least. */
  #next(): readonly [object, Queue] | undefined {
    let least: readonly [object, Queue] | undefined
    for (const entry of this.#waiting) if (!least || entry[1].had < least[1].had) least = entry
    return least
  }
}
