/** Work that goes on side by side, but for what shares a lane: there one waits for the other. */

export type Lanes = <T>(lane: string, work: () => Promise<T>) => Promise<T>

export function createLanes(): Lanes {
  const last = new Map<string, Promise<unknown>>()
  return (lane, work) => {
    const mine = (last.get(lane) ?? Promise.resolve()).then(work, work)
    last.set(lane, mine)
    return mine
  }
}

/** Does all of it, at most so many at once, and throws the first thing thrown when everything has ended. */
export async function sideBySide<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const waiting = items.values()
  const worker = async (): Promise<void> => {
    for (const item of waiting) await work(item)
  }
  const ended = await Promise.allSettled(Array.from({ length: Math.min(most, items.length) }, worker))
  const failed = ended.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
}
