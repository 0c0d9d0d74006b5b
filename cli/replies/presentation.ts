/**
 * The parts of a presentation. The contract shows no names within it, so those that the simulator chooses are
 * recognised, under each of its readings, and whatever else there is is named as left out.
 */
import type { ReplyRule } from '../../simulator/index.ts'
import { isMembers, listOf, textOf, type Members } from './json.ts'

export type Presentation = NonNullable<ReplyRule['reply']['presentation']>
type Part = keyof Presentation

/** By part: the name of its list, what an item of a mixed list calls it, and where an entry has its text. */
const parts: readonly { part: Part; kind: string; text: string }[] = [
  { part: 'messages', kind: 'message', text: 'text' },
  { part: 'buttons', kind: 'button', text: 'label' },
  { part: 'images', kind: 'image', text: 'url' },
  { part: 'media', kind: 'media', text: 'url' },
]

export interface Recognised {
  presentation: Presentation
  /** Members that nothing could be made of. */
  leftOut: readonly string[]
}

export function recognised(given: Members): Recognised {
  const items = listOf(given['items']).filter(isMembers)
  const presentation: Presentation = {}
  const leftOut = Object.keys(given).filter((name) => !known.has(name))
  for (const { part, kind, text } of parts) {
    const entries = [...listOf(given[part]), ...items.filter((item) => item['kind'] === kind)]
    const texts = entries.flatMap((entry) => textOf(isMembers(entry) ? entry[text] : entry) ?? [])
    if (texts.length > 0) presentation[part] = texts
    if (texts.length < entries.length || (part in given && !Array.isArray(given[part]))) leftOut.push(part)
  }
  if (items.some(({ kind }) => !parts.some((row) => row.kind === kind))) leftOut.push('items')
  return { presentation, leftOut }
}

const known: ReadonlySet<string> = new Set(['version', 'items', ...parts.map(({ part }) => part)])
