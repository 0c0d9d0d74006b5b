/**
 * Shares the turns of the event loop between places, such as tenants: work of one that takes long does not keep the
 * others waiting for more than a share.
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

export class FairTurns {
  readonly #machine: Machine
  /** What waits, by place; the next turn is that of the first place. */
  readonly #waiting = new Map<object, Work[]>()
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
    if (waiting) waiting.push(work)
    else if (now < (this.#until ?? 0)) work()
    else this.#waiting.set(place, [work])
  }

  #begin(now: number): void {
    this.#until = now + shareMs
    this.#machine.afterThisTurn(() => this.#end())
  }

  /** One of each place in turn, until the share of those that wait is spent. */
  #end(): void {
    this.#until = null
    if (this.#waiting.size === 0) return
    // Also for what such work starts itself, which begins no turn of its own.
    const until = this.#machine.elapsed() + shareMs
    this.#until = until
    try {
      do this.#takeNext()?.()
      while (this.#waiting.size > 0 && this.#machine.elapsed() < until)
    } finally {
      this.#until = null
      if (this.#waiting.size > 0) this.#begin(this.#machine.elapsed())
    }
  }

  #takeNext(): Work | undefined {
    const [first] = this.#waiting
    if (!first) return undefined
    const [place, waiting] = first
    const work = waiting.shift()
    this.#waiting.delete(place)
    // Behind all the others.
    if (waiting.length > 0) this.#waiting.set(place, waiting)
    return work
  }
}
