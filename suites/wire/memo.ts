/** Works a thing out once per object; what is recorded does not change, so neither does what is read from it. */
export function memo<K extends object, V>(work: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { value: V }>()
  return (key) => {
    const found = known.get(key) ?? { value: work(key) }
    known.set(key, found)
    return found.value
  }
}
