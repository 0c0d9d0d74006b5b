/** Random indexes with a Zipf distribution. */
import type { Random } from '../../../simulator/tenant/random.ts'

/**
 * Returns a generator of indexes below `size` in which the n-th has a probability proportional to `1 / n ** exponent`;
 * with an exponent of 0 the distribution is uniform.
 */
export function zipfIndex(size: number, exponent: number, random: Random): () => number {
  const sums = new Float64Array(size)
  let sum = 0
  for (let at = 0; at < size; at += 1) sums[at] = sum += 1 / (at + 1) ** exponent
  return () => {
    const target = (random.next() / 2 ** 32) * sum
    let [low, high] = [0, size - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) > target) high = middle
      else low = middle + 1
    }
    return low
  }
}
