/** Breaks off one attempt. There is one for each, and an AbortController costs as much as the rest of the attempt. */
export class Breaker {
  #isBroken = false
  #breakOff: (() => void) | undefined

  get isBroken(): boolean {
    return this.#isBroken
  }

  /** What is to be called by `break`, in place of what was to be called before. */
  holds(breakOff: () => void): void {
    this.#breakOff = breakOff
  }

  break(): void {
    if (this.#isBroken) return
    this.#isBroken = true
    this.#breakOff?.()
  }
}
