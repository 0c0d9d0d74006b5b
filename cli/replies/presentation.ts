/**
 * Parses a presentation. The contract does not name its members: those of the simulator, under each of its interpretations,
 * are recognised, and all others are reported as left out.
 */
import type { ReplyRule } from '../../simulator/index.ts'
import { listOf, textOf, type Members } from './json.ts'
import { isObject } from '../../spec/json.ts'

export type Presentation = NonNullable<ReplyRule['reply']['presentation']>
type Part = keyof Presentation

/** For each part: its list, the `kind` of its items in a mixed list, and the member with its text. */
const parts: readonly { part: Part; kind: string; text: string }[] = [
  { part: 'messages', kind: 'message', text: 'text' },
  { part: 'buttons', kind: 'button', text: 'label' },
  { part: 'images', kind: 'image', text: 'url' },
  { part: 'media', kind: 'media', text: 'url' },
]

export interface ParsedPresentation {
  presentation: Presentation
  /** Members that are not recognised. */
  leftOut: readonly string[]
}

export function parsePresentation(given: Members): ParsedPresentation {
  const items = listOf(given['items']).filter(isObject)
  const presentation: Presentation = {}
  const leftOut = Object.keys(given).filter((name) => !known.has(name))
  for (const { part, kind, text } of parts) {
    const entries = [...listOf(given[part]), ...items.filter((item) => item['kind'] === kind)]
    const texts = entries.flatMap((entry) => textOf(isObject(entry) ? entry[text] : entry) ?? [])
    if (texts.length > 0) presentation[part] = texts
    if (texts.length < entries.length || (part in given && !Array.isArray(given[part]))) leftOut.push(part)
  }
  if (items.some(({ kind }) => !parts.some((row) => row.kind === kind))) leftOut.push('items')
  return { presentation, leftOut }
}

const known: ReadonlySet<string> = new Set(['version', 'items', ...parts.map(({ part }) => part)])
