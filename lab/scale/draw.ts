/** Draws of many, of which some come far more often than others. */
import type { Random } from '../../simulator/tenant/random.ts'

/**
 * Indexes below `size`, where the n-th comes in proportion to `1 / n ** exponent`: Zipf's law, by which few are busy and
 * most are asked for now and then. An exponent of 0 makes them all alike.
 */
export function drawAmong(size: number, exponent: number, random: Random): () => number {
  const sums = new Float64Array(size)
  let sum = 0
  for (let at = 0; at < size; at += 1) sums[at] = sum += 1 / (at + 1) ** exponent
  return () => {
    const wanted = (random.next() / 2 ** 32) * sum
    let [low, high] = [0, size - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) > wanted) high = middle
      else low = middle + 1
    }
    return low
  }
}
