/** What was read last: as many values as fit a limit, and at least the last. */
export interface BoundedCache<K, V> {
  /** The value of this key, which `make` gives where it is not there. */
  get(key: K, make: () => V): V
}

/** `sizeOf`: what a value adds to the sum that is limited to `most`. */
export function boundedCache<K, V>(most: number, sizeOf: (value: V) => number): BoundedCache<K, V> {
  const values = new Map<K, V>()
  let sum = 0
  function evict(): void {
    for (const [key, value] of values) {
      if (sum <= most || values.size === 1) return
      values.delete(key)
      sum -= sizeOf(value)
    }
  }
  return {
    get(key, make) {
      const isThere = values.has(key)
      const value = isThere ? (values.get(key) as V) : make()
      // The order of the map is that of the last use.
      values.delete(key)
      values.set(key, value)
      if (!isThere) sum += sizeOf(value)
      evict()
      return value
    },
  }
}
