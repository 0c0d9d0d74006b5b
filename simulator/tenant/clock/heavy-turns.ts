/** Work that takes many milliseconds or much memory: one item at a time, places in turn, with a rest after each. */
import { machineElapsed, pauseFor } from './machine-time.ts'

type Work = () => Promise<void>

export class HeavyTurns {
  /** What waits, by place, such as a tenant. The first place is next. */
  readonly #waiting = new Map<object, Work[]>()
  #isRunning = false

  /** Runs `work` when it is the turn of its place, however much other places have waiting. */
  run<T>(place: object, work: () => T | Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const queue = this.#waiting.get(place) ?? []
    queue.push(async () => {
      try {
        resolve(await work())
      } catch (reason) {
        reject(reason)
      }
    })
    this.#waiting.set(place, queue)
    if (!this.#isRunning) void this.#runAll()
    return promise
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true
    await Promise.resolve()
    for (const [place, queue] of this.#waiting) {
      // Behind the others, if it has more.
      this.#waiting.delete(place)
      const work = queue.shift()
      if (queue.length > 0) this.#waiting.set(place, queue)
      const began = machineElapsed()
      await work?.()
      // As long as it took, everything else has the process for itself: many turns of the event loop, where work of the
      // next item in each would let in one connection for each.
      await pauseFor(machineElapsed() - began)
    }
    this.#isRunning = false
  }
}
