/** The newest of what a tenant remembers, as `?limit` asks for. */
import { wholeNumberOf } from '../request.ts'

const usual = 100

/** `left`: older ones that are not shown. */
export function latest<T>(all: readonly T[], query: URLSearchParams): { shown: readonly T[]; left: number } {
  const shown = all.slice(-(wholeNumberOf(query, 'limit', 1) ?? usual))
  return { shown, left: all.length - shown.length }
}
