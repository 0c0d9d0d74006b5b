/** Small ways with plain values, for every room of the simulator. */

type Defined<T> = { [M in keyof T as undefined extends T[M] ? never : M]: T[M] } & {
  [M in keyof T as undefined extends T[M] ? M : never]?: Exclude<T[M], undefined>
}

/** Without the members that are undefined: an optional member is absent, or has a value. */
export function defined<const T extends object>(members: T): Defined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>
}

interface Lookup<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): unknown
}

/** What stands under this key, made and put there the first time. */
export function remembered<K, V>(map: Lookup<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** What the first item says that has anything to say; null where none has. */
export function firstSaid<T, R extends object | string>(
  items: Iterable<T>,
  say: (item: T) => R | null,
): R | null {
  for (const item of items) {
    const said = say(item)
    if (said !== null) return said
  }
  return null
}
