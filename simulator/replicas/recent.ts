/** What was learnt of the store last, so that it need not be asked again: bounded, and the first to come goes first. */
export interface Recent<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
  delete(key: string): void
  /** Forgets whatever has this value. */
  forget(value: V): void
}

export function createRecent<V>(most: number): Recent<V> {
  const values = new Map<string, V>()
  return {
    get: (key) => values.get(key),
    set: (key, value) => {
      values.delete(key)
      values.set(key, value)
      const [first] = values.keys()
      if (values.size > most && first !== undefined) values.delete(first)
    },
    delete: (key) => void values.delete(key),
    forget: (value) => {
      for (const [key, known] of values) if (known === value) values.delete(key)
    },
  }
}
