/** What stands in the place of a secret: `[[name:mark]]`. Whether two secrets were the same shows, and no more. */
import { createHmac } from 'node:crypto'

/** The mark is that of the value under a key that nobody keeps: without it, a short secret could be found by trying. */
export function tokenOf(name: string, value: string, key: Uint8Array): string {
  const mark = createHmac('sha256', key).update(value).digest('hex').slice(0, 8)
  return `[[${name}:${mark}]]`
}

/** A token anywhere in a text; its first group is the name. */
export const token = /\[\[([\w:.-]+):[0-9a-f]{8}\]\]/

/** The same, or the beginning of one that was cut to size. */
export const tokenInWords = /\[\[[\w:.-]+(?:\]\]|…)/

export function withoutMarks(text: string): string {
  return text.replaceAll(new RegExp(token, 'g'), '[[$1]]')
}
