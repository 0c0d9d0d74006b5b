/** How much of the page may be what a target sent: a browser opens it at once, however much that was. */
import type { Markup } from '../elements/escape.ts'

/** Bytes that one piece may take of it. */
const mostOfOne = 50_000

/** Whether a piece still fits; if so it is taken off. */
export type Allowance = (piece: Markup) => boolean

export function allowanceOf(bytes: number): Allowance {
  let left = bytes
  return ({ markup }) => {
    const size = Buffer.byteLength(markup)
    if (size > Math.min(left, mostOfOne)) return false
    left -= size
    return true
  }
}
