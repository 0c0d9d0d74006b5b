/** Work at once; or one piece of it alone, for which the others first come to their end, and new ones wait. */
export function createTurns() {
  const running = new Set<Promise<unknown>>()
  let lone: Promise<unknown> = Promise.resolve()
  return {
    async beside<T>(work: () => Promise<T>): Promise<T> {
      await lone
      const begun = work()
      running.add(begun)
      return begun.finally(() => running.delete(begun))
    },
    alone<T>(work: () => Promise<T>): Promise<T> {
      const done = lone.then(() => Promise.allSettled(running)).then(work)
      lone = done.catch(() => undefined)
      return done
    },
  }
}
