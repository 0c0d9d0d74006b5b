/** Bytes of the payloads that deliveries have in memory; those of one event share one payload. */
import { jsonLength } from '../../tenant/book.ts'
import type { Occurrence } from './delivery.ts'

interface Held {
  deliveries: number
  readonly bytes: number
}

export class PayloadBytes {
  readonly #held = new Map<Occurrence, Held>()
  #total = 0

  get total(): number {
    return this.#total
  }

  add(occurrence: Occurrence): void {
    const held = this.#held.get(occurrence)
    if (held) return void held.deliveries++
    const bytes = jsonLength(occurrence.payload)
    this.#held.set(occurrence, { deliveries: 1, bytes })
    this.#total += bytes
  }

  remove(occurrence: Occurrence): void {
    const held = this.#held.get(occurrence)
    if (!held || --held.deliveries > 0) return
    this.#held.delete(occurrence)
    this.#total -= held.bytes
  }

  clear(): void {
    this.#held.clear()
    this.#total = 0
  }
}
