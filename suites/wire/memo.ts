/** Of large things so many are remembered: what is read from megabytes may take hundreds of them. */
const mostLarge = 4

/** Works a thing out once per object; what is recorded does not change, so neither does what is read from it. */
export function memo<K extends object, V>(
  work: (key: K) => V,
  isLarge: (key: K) => boolean = () => false,
): (key: K) => V {
  const known = new WeakMap<K, { value: V }>()
  const large: WeakRef<K>[] = []

  function remember(key: K, value: V): void {
    known.set(key, { value })
    if (!isLarge(key)) return
    const oldest = large.push(new WeakRef(key)) > mostLarge ? large.shift()?.deref() : undefined
    if (oldest) known.delete(oldest)
  }
  return (key) => {
    const found = known.get(key)
    if (found) return found.value
    const value = work(key)
    remember(key, value)
    return value
  }
}
