/**
 * Does things several at a time, and takes what came of them in the order of the list: whoever writes it down writes
 * the same whatever was faster.
 */
export async function inOrder<T, R>(
  items: readonly T[],
  atOnce: number,
  make: (item: T, index: number) => Promise<R>,
  take: (result: R, index: number) => void,
): Promise<void> {
  const made = new Map<number, R>()
  let begun = 0
  let taken = 0
  const worker = async (): Promise<void> => {
    for (let index = begun++; index < items.length; index = begun++) {
      made.set(index, await make(items[index] as T, index))
      for (let next = made.get(taken); next !== undefined && made.delete(taken); next = made.get(taken))
        take(next, taken++)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
}
