/** Those who wait until so many requests have come. */
export interface Waiters {
  arrived(count: number, signal?: AbortSignal): Promise<boolean>
  /** To be called when a request arrives or the place closes. */
  look(): void
}

export function createWaiters(arrived: () => number, isOpen: () => boolean): Waiters {
  const waiting = new Set<() => void>()
  return {
    arrived: (count, signal) =>
      new Promise((resolve) => {
        const look = (): void => {
          const enough = arrived() >= count
          if (!enough && isOpen() && !signal?.aborted) return
          waiting.delete(look)
          signal?.removeEventListener('abort', look)
          resolve(enough)
        }
        waiting.add(look)
        signal?.addEventListener('abort', look)
        look()
      }),
    look() {
      for (const look of waiting) look()
    },
  }
}
