/** Of what takes more bytes, about so many are remembered: what was met last. */
const large = { bytes: 64 << 10, most: 64 << 20 }
/**
 * Of middle size, all of a run of ours. Rules go through all exchanges, of which a recording may have 100,000: of so many,
 * what is remembered is forgotten before it is met again, but for what is asked for twice in a row.
 */
const middle = { bytes: 256, most: 8 << 20, count: 10_000, mostOfMany: 1 << 18 }

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
  const held: { key: K; bytes: number }[] = []
  let sum = 0
  /** Of middle size, by halves: a list of so many would take as much as they do. */
  let [recent, before, sumOfRecent] = [new WeakMap<K, { value: V }>(), new WeakMap<K, { value: V }>(), 0]
  let count = 0

  function hold(key: K, bytes: number): void {
    held.push({ key, bytes })
    for (sum += bytes; sum > large.most;) {
      const oldest = held.shift()
      if (!oldest) return
      sum -= oldest.bytes
      known.delete(oldest.key)
    }
  }
  function placeOf(bytes: number): typeof known {
    if (bytes <= middle.bytes || bytes > large.bytes) return known
    sumOfRecent += bytes
    const most = ++count > middle.count ? middle.mostOfMany : middle.most
    if (sumOfRecent > most / 2) [recent, before, sumOfRecent] = [new WeakMap(), recent, bytes]
    return recent
  }
  return (key) => {
    const found = known.get(key) ?? recent.get(key) ?? before.get(key)
    if (found) return found.value
    const value = work(key)
    const bytes = bytesOf(value, key)
    placeOf(bytes).set(key, { value })
    if (bytes > large.bytes) hold(key, bytes)
    return value
  }
}
