/** Where secrets are in a text, and the text with tokens in their places. */

export interface Hit {
  start: number
  end: number
  token: string
}

/** In order and apart: what is within another is left out, what overlaps another begins after it. */
export function apart<H extends Hit>(hits: readonly H[]): readonly H[] {
  const inOrder = hits.toSorted((a, b) => a.start - b.start || b.end - a.end)
  const kept: H[] = []
  let next = 0
  for (const hit of inOrder) {
    if (hit.end <= next) continue
    kept.push({ ...hit, start: Math.max(hit.start, next) })
    next = hit.end
  }
  return kept
}

/** The part of a text between two positions, with the hits that begin in it replaced and those that reach in cut. */
export function splice(text: string, hits: readonly Hit[], from = 0, to = text.length): string {
  let out = ''
  let next = from
  for (const { start, end, token } of hits) {
    if (end <= from || start >= to) continue
    out += text.slice(next, Math.max(next, start)) + (start >= from ? token : '')
    next = Math.min(end, to)
  }
  return out + text.slice(next, to)
}
