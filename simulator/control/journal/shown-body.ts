/** The body of a response as those read it who read a journal over HTTP: as text, a piece per chunk, without keys. */
import { withoutWholeKeys } from '../../tenant/redacted.ts'

const marks = ['sk-', 'sess_', 'whsec_', 'ak_'] as const
const isWord = (text: string): boolean => !/\W/.test(text)

/** Where the last run of letters, digits and `_` begins. */
function lastWord(text: string): number {
  let start = text.length
  while (start > 0 && isWord(text.charAt(start - 1))) start--
  return start
}

/** Where a key begins that may go on after this text; -1 where none does. */
function openKey(text: string): number {
  const start = lastWord(text)
  if (text.endsWith('sk-', start)) return start - 'sk-'.length
  const found = marks.map((mark) => text.indexOf(mark, start)).filter((at) => at !== -1)
  return found.length > 0 ? Math.min(...found) : -1
}

/** What a mark may begin with, the longest first. */
const openings = marks
  .flatMap((mark) => Array.from({ length: mark.length - 1 }, (_, n) => mark.slice(0, n + 1)))
  .toSorted((one, other) => other.length - one.length)

/** How much of the mark of a key stands at the end of this text. */
const openMark = (text: string): number => openings.find((part) => text.endsWith(part))?.length ?? 0

/**
 * Chunks end anywhere: within a character, or within a key, of which no part may be shown. What cannot be shown yet
 * comes with the next piece.
 */
export class ShownBody {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #held = ''
  #isInKey = false

  piece(bytes: Uint8Array): string {
    const added = this.#decoder.decode(bytes, { stream: true })
    if (this.#isInKey && isWord(added)) {
      this.#held += added
      return ''
    }
    const text = this.#held + added
    const key = openKey(text)
    this.#isInKey = key !== -1
    const shown = this.#isInKey ? key : text.length - openMark(text)
    this.#held = text.slice(shown)
    return withoutWholeKeys(text.slice(0, shown))
  }

  rest(): string {
    const text = this.#held + this.#decoder.decode()
    this.#held = ''
    return withoutWholeKeys(text)
  }
}
