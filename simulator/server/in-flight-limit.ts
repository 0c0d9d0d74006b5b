/** What is in flight in a simulator: requests, and the bytes of their bodies and of responses that are not read. */
import type { ServerResponse } from 'node:http'
import type { SimulatorLimits } from '../limits.ts'

export class InFlightLimit {
  readonly #limits: Pick<SimulatorLimits, 'openAnswers' | 'openBytes'>
  #answers = 0
  #bytes = 0

  constructor(limits: Pick<SimulatorLimits, 'openAnswers' | 'openBytes'>) {
    this.#limits = limits
  }

  /** False where there is no room; otherwise the request counts until it leaves. */
  enter(): boolean {
    if (this.#answers >= this.#limits.openAnswers || !this.hasRoom()) return false
    this.#answers++
    return true
  }

  leave(): void {
    this.#answers--
  }

  /** Whether there is room for more bytes, however many: what exceeds the limit is no more than one piece. */
  hasRoom(): boolean {
    return this.#bytes < this.#limits.openBytes
  }

  /** Counts `bytes` more; fewer where they are below 0. */
  hold(bytes: number): void {
    this.#bytes += bytes
  }

  /** Counts what waits of a response until it is sent. */
  holdUnread(response: Pick<ServerResponse, 'on' | 'off' | 'writableLength'>): void {
    const bytes = response.writableLength
    if (bytes === 0) return
    this.hold(bytes)
    const release = (): void => {
      response.off('drain', release).off('close', release)
      this.hold(-bytes)
    }
    response.on('drain', release).on('close', release)
  }
}
