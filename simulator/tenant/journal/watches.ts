/** Those that follow a journal while it grows. */

/** Called while a request is answered: only notes what changed, and reads the journal later. */
export interface JournalWatch {
  /** An entry was added, or something was added to it. */
  changed(id: number): void
  /** All entries are gone, and numbers begin at 1 again. */
  cleared(): void
  ended(): void
}

export function createWatches() {
  const watches = new Set<JournalWatch>()
  return {
    get size() {
      return watches.size
    },
    add: (watch: JournalWatch): (() => void) => {
      watches.add(watch)
      return () => void watches.delete(watch)
    },
    changed: (id: number): void => {
      if (watches.size === 0 || id === 0) return
      for (const watch of watches) watch.changed(id)
    },
    clear: (): void => {
      for (const watch of watches) watch.cleared()
    },
    end: (): void => {
      for (const watch of watches) watch.ended()
      watches.clear()
    },
  }
}
