/**
 * Of large things, so many bytes are remembered, and at least so many things. What is remembered for longer outlives the
 * young generation of the heap, and is garbage for much longer.
 */
const large = { bytes: 1 << 19, least: 4 }

const forgets: ((key: object) => void)[] = []

/** Drops what was remembered of an object, as after it was read in a pass over a whole run. */
export function forget(key: object): void {
  for (const forgetIn of forgets) forgetIn(key)
}

/**
 * Works a thing out once per object; what is recorded does not change, so neither does what is read from it. `bytesOf`: what
 * a large one takes, of which only those met last are remembered; 0 for others.
 */
export function memo<K extends object, V>(
  work: (key: K) => V,
  bytesOf: (key: K) => number = () => 0,
): (key: K) => V {
  const known = new WeakMap<object, { value: V }>()
  // No WeakRef: what one refers to stays in memory until the event loop turns, and a run is judged in one turn.
  const last: { key: K; bytes: number }[] = []
  let sum = 0

  function remember(key: K, value: V): void {
    known.set(key, { value })
    const bytes = bytesOf(key)
    if (bytes === 0) return
    last.push({ key, bytes })
    sum += bytes
    while (sum > large.bytes && last.length > large.least) forgetOldest()
  }
  function forgetOldest(): void {
    const oldest = last.shift()
    if (!oldest) return
    sum -= oldest.bytes
    known.delete(oldest.key)
  }
  forgets.push((key) => {
    const at = last.findIndex((one) => one.key === key)
    const [large] = at === -1 ? [] : last.splice(at, 1)
    sum -= large?.bytes ?? 0
    known.delete(key)
  })
  return (key) => {
    const found = known.get(key)
    if (found) return found.value
    const value = work(key)
    remember(key, value)
    return value
  }
}
