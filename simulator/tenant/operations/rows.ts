/** One list of what an account has. The oldest rows go when there are too many, and are counted all the same. */
import type { Book } from '../book.ts'

export interface RowTotals {
  /** By group; a list without groups has one. */
  made: Readonly<Record<string, number>>
  removed: number
}

export interface Rows<T> {
  readonly tally: RowTotals
  /** What is remembered of them; ids begin with the account and the list. */
  readonly book: Book<T>
  /** Rows that were added so far: no number comes twice. */
  readonly made: number
  /** How many there are, those included that were let go; `group`: that were added to it. */
  count(group?: string): number
  get(id: string): T | undefined
  /** `id`: default its number. */
  add(row: T, id?: string): void
  /** The row was changed where it stands. */
  touch(id: string): void
  /** False where it was not there. */
  remove(id: string): boolean
  /** The oldest first. */
  values(): readonly T[]
}

export interface RowsOptions<T> {
  readonly book: Book<T>
  /** What ids of rows begin with in the book. */
  readonly prefix: string
  /** Default: all are of one group. */
  readonly groupOf?: (row: T) => string
  /** The tally has changed. */
  readonly counted: () => void
}

export function createRows<T>({ book, prefix, groupOf = () => 'all', counted }: RowsOptions<T>): Rows<T> {
  const tally: RowTotals = { made: {}, removed: 0 }
  const made = (): number => Object.values(tally.made).reduce((sum, count) => sum + count, 0)
  return {
    tally,
    book,
    get made() {
      return made()
    },
    count: (group) => (group === undefined ? made() - tally.removed : (tally.made[group] ?? 0)),
    get: (id) => book.get(prefix + id),
    add: (row, id) => {
      const group = groupOf(row)
      tally.made = { ...tally.made, [group]: (tally.made[group] ?? 0) + 1 }
      counted()
      book.set(prefix + (id ?? String(made())), row)
    },
    touch: (id) => book.touch(prefix + id),
    remove: (id) => {
      if (!book.delete(prefix + id)) return false
      tally.removed++
      counted()
      return true
    },
    values: () => [...book.values()],
  }
}
