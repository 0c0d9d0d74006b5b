/** What a tenant remembers of one kind: bounded by number and age; each change is reported for persistence. */
import type { Limit } from '../limits.ts'
import type { Changes, EntryKind } from './conversations.ts'

export interface BookOptions<T> {
  readonly kind: EntryKind
  readonly changes: Changes
  readonly limit: Limit
  readonly now: () => number
  /** What is in use now is not let go. Default: nothing is. */
  readonly inUse?: (value: T) => boolean
  /** Bytes of one, about, where their number is limited. Default: those of its JSON. */
  readonly sizeOf?: (value: T) => number
  readonly letGo?: () => void
  /** `used`: whatever is set anew is the youngest again. Default: the order in which they were made. */
  readonly order?: 'made' | 'used'
}

export interface BookPlace {
  readonly place: number
  /** Milliseconds since 1970 on the clock of the tenant. */
  readonly since: number
}

/** A tenant remembers very many: one object each, with its place in it. */
interface Row<T> extends BookPlace {
  value: T
  /** Bytes, where they are limited. */
  size: number
}

export type Remember = <T>(
  kind: EntryKind,
  limit: Limit,
  how?: Pick<BookOptions<T>, 'inUse' | 'order' | 'sizeOf'>,
) => Book<T>

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

export const jsonLength = (value: unknown): number => JSON.stringify(value).length

/** The part of a `Map` that a tenant needs, in the order of age. */
export class Book<T> implements Iterable<[id: string, value: T]> {
  readonly #options: BookOptions<T>
  readonly #rows = new Map<string, Row<T>>()
  #bytes = 0
  /**
   * The oldest comes next in it. Beginning anew each time would pass over everything that was taken out at the front:
   * a map keeps the places of what it held.
   */
  #line = this.#rows.entries()
  #head: [id: string, row: Row<T>] | undefined
  #last = 0

  constructor(options: BookOptions<T>) {
    this.#options = options
  }

  get size(): number {
    return this.#rows.size
  }

  get(id: string): T | undefined {
    return this.#rows.get(id)?.value
  }

  has(id: string): boolean {
    return this.#rows.has(id)
  }

  set(id: string, value: T): void {
    const known = this.#rows.get(id)
    if (known && this.#options.order !== 'used') this.#replace(known, value)
    else this.#add(id, value, known)
    this.touch(id)
  }

  touch(id: string): void {
    this.#options.changes.changed(this.#options.kind, id)
  }

  delete(id: string): boolean {
    const row = this.#rows.get(id)
    if (!row) return false
    this.#take(id, row)
    this.touch(id)
    return true
  }

  clear(): void {
    for (const id of this.#rows.keys()) this.touch(id)
    this.#rows.clear()
    this.#bytes = 0
  }

  keys(): IteratorObject<string> {
    return this.#rows.keys()
  }

  values(): IteratorObject<T> {
    return this.#rows.values().map(({ value }) => value)
  }

  *[Symbol.iterator](): Iterator<[string, T]> {
    for (const [id, { value }] of this.#rows) yield [id, value]
  }

  /** Where it stands in the order, to be kept with it. */
  placeOf(id: string): BookPlace | undefined {
    const row = this.#rows.get(id)
    return row && { place: row.place, since: row.since }
  }

  /** Puts back what was kept, in the order of places. */
  restore(id: string, value: T, where: BookPlace): void {
    this.#put(id, value, where, this.#rows.get(id))
    this.#last = Math.max(this.#last, where.place)
  }

  #put(id: string, value: T, { place, since }: BookPlace, known: Row<T> | undefined): void {
    if (known) this.#take(id, known)
    const size = this.#sizeOf(value)
    this.#rows.set(id, { value, place, since, size })
    this.#bytes += size
  }

  #take(id: string, { size }: Row<T>): void {
    this.#rows.delete(id)
    this.#bytes -= size
  }

  #replace(row: Row<T>, value: T): void {
    const size = this.#sizeOf(value)
    const isMore = size > row.size
    this.#bytes += size - row.size
    row.value = value
    row.size = size
    if (isMore) this.#shorten(this.#options.now())
  }

  #sizeOf(value: T): number {
    const { limit, sizeOf = jsonLength } = this.#options
    return limit.bytes === undefined ? 0 : sizeOf(value)
  }

  #isOver({ since }: Row<T>, now: number): boolean {
    const { most, bytes = Infinity, ageMs } = this.#options.limit
    const isFull = this.#rows.size > most || (this.#rows.size > 1 && this.#bytes > bytes)
    return isFull || since + ageMs <= now
  }

  #add(id: string, value: T, known: Row<T> | undefined): void {
    const now = this.#options.now()
    this.#put(id, value, { place: ++this.#last, since: now }, known)
    this.#shorten(now)
  }

  #oldest(): [id: string, row: Row<T>] | undefined {
    while (!this.#head || this.#rows.get(this.#head[0]) !== this.#head[1]) {
      let next = this.#line.next()
      if (next.done) {
        this.#line = this.#rows.entries()
        next = this.#line.next()
      }
      if (next.done) return undefined
      this.#head = next.value
    }
    return this.#head
  }

  /** What is in use goes to the end of the line, so that it is met once and not again and again. */
  #shorten(now: number): void {
    const { inUse, letGo } = this.#options
    for (let looks = this.#rows.size; looks > 0; looks--) {
      const head = this.#oldest()
      if (!head) return
      const [id, row] = head
      if (!this.#isOver(row, now)) return
      if (inUse?.(row.value)) {
        this.#rows.delete(id)
        this.#rows.set(id, { ...row })
      } else if (this.delete(id)) letGo?.()
    }
  }
}
