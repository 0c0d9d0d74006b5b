/** Markup with holes: whatever is put into a hole is escaped, unless it is markup made here. */
import { visible } from '../../visible.ts'

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

/** Text in a place where markup is read: element content and quoted attribute values alike. */
function escape(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** `html` followed by a template: the holes are escaped, lists are joined, undefined is nothing. */
export function html(parts: TemplateStringsArray, ...holes: readonly Hole[]): Markup {
  const filled = parts.map((part, index) => part + (index < holes.length ? fill(holes[index]) : ''))
  return { markup: filled.join('') }
}

function fill(hole: Hole): string {
  if (hole === undefined) return ''
  if (typeof hole === 'string') return escape(hole)
  if (typeof hole === 'number') return String(hole)
  return 'markup' in hole ? hole.markup : hole.map(fill).join('')
}

export const noMarkup: Markup = { markup: '' }
