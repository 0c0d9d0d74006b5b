/** First in, first out: adding and taking cost the same however many wait. */
export interface Queue<T> extends Iterable<T> {
  readonly size: number
  /** The one that is taken next. */
  readonly first: T | undefined
  add(item: T): void
  take(): T | undefined
  clear(): void
}

/** So many places at the front are left empty before the rest moves up. */
const slack = 1024

export function createQueue<T>(): Queue<T> {
  let items: T[] = []
  let front = 0
  return {
    get size() {
      return items.length - front
    },
    get first() {
      return items[front]
    },
    add: (item) => void items.push(item),
    take: () => {
      if (front === items.length) return undefined
      const item = items[front++]
      if (front > slack && front * 2 > items.length) {
        items = items.slice(front)
        front = 0
      }
      return item
    },
    clear: () => {
      items = []
      front = 0
    },
    *[Symbol.iterator]() {
      yield* items.slice(front)
    },
  }
}
