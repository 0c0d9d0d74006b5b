/** Works on many things, so many at once: a store has few connections, and whoever waits too long for one gives up. */

/** Resolves once all have ended, with why those that failed did. */
export async function abreast<T>(
  most: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<readonly unknown[]> {
  const reasons: unknown[] = []
  const left = items.values()
  const lane = async (): Promise<void> => {
    for (const item of left) await work(item).catch((reason: unknown) => reasons.push(reason))
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, lane))
  return reasons
}
