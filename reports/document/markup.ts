/** Markup with holes: whatever is put into a hole is escaped, unless it is markup made here. */
import { visible } from '../visible.ts'

export interface Markup {
  readonly markup: string
}

export type Hole = Markup | string | number | undefined | readonly Hole[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** `html` followed by a template: the holes are escaped, lists are joined, undefined is nothing. */
export function html(parts: TemplateStringsArray, ...holes: readonly Hole[]): Markup {
  // Without blanks beside blocks, each of which would be a text node.
  const known = densely.get(parts) ?? parts.map((part) => part.replace(around, '$1').replace(/\n\s*/g, '\n'))
  densely.set(parts, known)
  const filled = known.map((part, index) => part + (index < holes.length ? fill(holes[index]) : ''))
  return { markup: filled.join('') }
}

const blocks =
  'article|aside|body|caption|dd|desc|details|div|dl|dt|figcaption|figure|footer|h[1-6]|head|header|html|li|main|meta|nav|ol|p|section|summary|svg|table|tbody|td|tfoot|th|thead|title|tr|ul'
const around = new RegExp(`\\s+(?=</?(?:${blocks})\\b)|(</?(?:${blocks})(?:\\s[^<>]*)?>)\\s+`, 'g')
const densely = new WeakMap<TemplateStringsArray, readonly string[]>()

function fill(hole: Hole): string {
  if (hole === undefined) return ''
  // Text in a place where markup is read: element content and quoted attribute values alike.
  if (typeof hole === 'string')
    return visible(hole).replace(/[&<>"']/g, (character) => entities[character] ?? character)
  if (typeof hole === 'number') return String(hole)
  return 'markup' in hole ? hole.markup : hole.map(fill).join('')
}

export const noMarkup: Markup = { markup: '' }
