/** What requests in flight may take: their number, and the bytes of their bodies and of responses that nobody reads. */
import type { ServerResponse } from 'node:http'
import type { SimulatorLimits } from '../limits.ts'

/** Of one place: a tenant, those who ask the control plane about one, what is outside of every tenant, or strangers. */
interface Taken {
  answers: number
  bytes: number
}

const isControl = (place: object): boolean => 'isControl' in place

type Response = Pick<ServerResponse, 'on' | 'off' | 'writableLength'>

export class InFlightLimit {
  readonly #limits: Pick<SimulatorLimits, 'openAnswers' | 'openBytes' | 'allOpenBytes'>
  readonly #taken = new WeakMap<object, Taken>()
  #bytes = 0
  #controlBytes = 0

  constructor(limits: Pick<SimulatorLimits, 'openAnswers' | 'openBytes' | 'allOpenBytes'>) {
    this.#limits = limits
  }

  /** False where `place` has as much as it may; else the request counts until it leaves. */
  enter(place: object): boolean {
    const taken = this.#of(place)
    if (taken.answers >= this.#limits.openAnswers || !this.hasRoom(place)) return false
    taken.answers++
    return true
  }

  leave(place: object): void {
    this.#of(place).answers--
  }

  /**
   * Whether `place` may hold more bytes, however many: what is too much is no more than one response. The places of the
   * control plane have half of all together, so that tenants have the other half.
   */
  hasRoom(place: object): boolean {
    const { openBytes, allOpenBytes } = this.#limits
    if (isControl(place) && this.#controlBytes >= allOpenBytes / 2) return false
    return this.#of(place).bytes < openBytes && this.#bytes < allOpenBytes
  }

  /** Bytes that are held from now on; less than 0: that are not held any more. */
  hold(place: object, bytes: number): void {
    this.#of(place).bytes += bytes
    this.#bytes += bytes
    if (isControl(place)) this.#controlBytes += bytes
  }

  /** Holds what of a response waits for its client, until it is sent. */
  holdUnread(place: object, response: Response): void {
    const bytes = response.writableLength
    if (bytes === 0) return
    this.hold(place, bytes)
    const release = (): void => {
      response.off('drain', release).off('close', release)
      this.hold(place, -bytes)
    }
    response.on('drain', release).on('close', release)
  }

  #of(place: object): Taken {
    const known = this.#taken.get(place)
    if (known) return known
    const taken = { answers: 0, bytes: 0 }
    this.#taken.set(place, taken)
    return taken
  }
}
