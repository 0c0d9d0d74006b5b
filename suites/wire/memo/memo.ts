/**
 * Works a thing out once per object; what is recorded does not change, so neither does what is read from it. `isLarge`: is
 * worked out each time, since it would take too much to be remembered for a whole run.
 */
export function memo<K extends object, V>(
  work: (key: K) => V,
  isLarge: (key: K) => boolean = () => false,
): (key: K) => V {
  const known = new WeakMap<K, { value: V }>()
  return (key) => {
    const found = known.get(key)
    if (found) return found.value
    const value = work(key)
    if (!isLarge(key)) known.set(key, { value })
    return value
  }
}
