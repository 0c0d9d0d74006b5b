/** Of what takes more than `small` bytes, so many are remembered: what was met last. */
const most = 64 << 20
const small = 4 << 10

/**
 * Works a thing out once per object; what is recorded does not change, so neither does what is read from it. `bytesOf`:
 * about what a value takes that may be large.
 */
export function memo<K extends object, V>(
  work: (key: K) => V,
  bytesOf: (value: V, key: K) => number = () => 0,
): (key: K) => V {
  const known = new WeakMap<K, { value: V }>()
  // No WeakRef: what one refers to stays in memory until the event loop turns, and a run is judged in one turn.
  const large: { key: K; bytes: number }[] = []
  let sum = 0

  function hold(key: K, bytes: number): void {
    large.push({ key, bytes })
    for (sum += bytes; sum > most;) {
      const oldest = large.shift()
      if (!oldest) return
      sum -= oldest.bytes
      known.delete(oldest.key)
    }
  }
  return (key) => {
    const found = known.get(key)
    if (found) return found.value
    const value = work(key)
    known.set(key, { value })
    const bytes = bytesOf(value, key)
    if (bytes > small) hold(key, bytes)
    return value
  }
}
