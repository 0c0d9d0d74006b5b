/** Remembers the ids of deliveries, so that attempts can be counted and duplicates reported; the oldest are forgotten. */
export interface KnownIds {
  seen(id: string): { attempt: number; duplicate: boolean }
  /** It was answered 2xx: what comes from now on is a duplicate. */
  delivered(id: string): void
}

export function knownIds(capacity: number): KnownIds {
  const known = new Map<string, { attempts: number; delivered: boolean }>()
  return {
    seen(id) {
      const { attempts, delivered } = known.get(id) ?? { attempts: 0, delivered: false }
      // Anew, so that the one that was not seen for longest stands first.
      known.delete(id)
      known.set(id, { attempts: attempts + 1, delivered })
      const [oldest] = known.keys()
      if (known.size > capacity && oldest !== undefined) known.delete(oldest)
      return { attempt: attempts + 1, duplicate: delivered }
    },
    delivered(id) {
      const entry = known.get(id)
      if (entry) entry.delivered = true
    },
  }
}
