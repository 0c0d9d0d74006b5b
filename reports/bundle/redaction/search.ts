/** Finds secrets in a text of one character per byte, whole or cut short by an ellipsis. */
import { encodingsOf } from './encodings.ts'
import type { Hit } from './hits.ts'
import { latin1View } from '../text.ts'
import { createNeedles } from './needles.ts'

/** A hit with the name that it counts under. */
export interface NamedHit extends Hit {
  name: string
}

export interface Search {
  add: (value: string, token: string, name: string) => void
  /** Hits may overlap. `cut`: also beginnings of a secret before an ellipsis. */
  in: (text: string, cut?: boolean) => readonly NamedHit[]
}

interface Known {
  encoded: string
  token: string
  name: string
}

/** Characters of a secret that show whose it is. */
const leastOfCut = 6
/** UTF-8 of the ellipsis, as binary text. */
const ellipsis = '\xe2\x80\xa6'
/** What may be left of a character, or of its escape, that was cut in half. */
const half = /(?:\xef\xbf\xbd|%[\da-fA-F]?|\\+(?:u[\da-fA-F]{0,3})?|&[#\w]{0,5}|[\w+/-]){0,4}/y

const lower = (text = ''): string => text.toLowerCase()

export function createSearch(): Search {
  const all: Known[] = []
  const needles = createNeedles()
  /** By how they begin. */
  const beginnings = new Map<string, Known[]>()

  function whole(text: string): readonly NamedHit[] {
    const exact: NamedHit[] = []
    const otherCase: NamedHit[] = []
    needles.in(latin1View(text), ({ start, end, id }) => {
      const { encoded, token, name } = all[id] as Known
      const hits = encoded === text.slice(start, end) ? exact : otherCase
      hits.push({ start, end, token, name })
      return false
    })
    // The same letters in another case may be a secret of their own, which then comes first.
    return [...exact, ...otherCase]
  }
  function cutAt(text: string, at: number): readonly NamedHit[] {
    return (beginnings.get(lower(text.slice(at, at + leastOfCut))) ?? []).flatMap(
      ({ encoded, token, name }) => {
        let end = at
        while (end < text.length && lower(text[end]) === lower(encoded[end - at])) end++
        half.lastIndex = end
        end += half.exec(text)?.[0].length ?? 0
        return text.startsWith(ellipsis, end) ? [{ start: at, end, token, name }] : []
      },
    )
  }
  return {
    add(value, token, name) {
      for (const encoded of encodingsOf(value)) {
        const known = { encoded, token, name }
        const beginning = lower(encoded.slice(0, leastOfCut))
        needles.add(Buffer.from(encoded, 'latin1'), all.push(known) - 1)
        beginnings.set(beginning, [...(beginnings.get(beginning) ?? []), known])
      }
    },
    in(text, cut = false) {
      if (all.length === 0) return []
      const found = [...whole(text)]
      if (!cut || !text.includes(ellipsis)) return found
      for (let at = 0; at + leastOfCut <= text.length; at++) found.push(...cutAt(text, at))
      return found
    },
  }
}
