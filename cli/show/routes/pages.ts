/** A part of a list: lists are of any length, and are read in parts. */
export interface ListPart<T> {
  total: number
  items: T[]
}

const usualLimit = 1_000
const mostAtOnce = 5_000

const numberIn = (query: URLSearchParams, name: string, usual: number): number => {
  const text = query.get(name) ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : usual
}

/** The part that `offset` and `limit` ask for. */
export function listPart<T>(all: readonly T[], query: URLSearchParams): ListPart<T> {
  const offset = numberIn(query, 'offset', 0)
  const limit = Math.min(numberIn(query, 'limit', usualLimit), mostAtOnce)
  return { total: all.length, items: all.slice(offset, offset + limit) }
}
