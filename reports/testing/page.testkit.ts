/** What tests read of a page without a browser. */

/** Names of the elements of a page, in order; null where one is closed out of order or not at all. */
export function elements(page: string): string[] | null {
  const empty = new Set(['meta', 'br', '!doctype'])
  const open: string[] = []
  const seen: string[] = []
  for (const [whole, slash, name = ''] of page.matchAll(/<(\/?)([a-z!][a-z0-9]*)[^>]*>/gi)) {
    if (slash && open.pop() !== name) return null
    if (slash) continue
    seen.push(name)
    if (!empty.has(name) && !whole.endsWith('/>')) open.push(name)
  }
  return open.length === 0 ? seen : null
}
