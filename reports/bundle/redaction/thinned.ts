/**
 * What a text says without what may stand between its characters: the zeros of UTF-16, the line ends of base64, the
 * spaces of a list of bytes in hexadecimal.
 */
import type { Hit } from './hits.ts'

const between: readonly RegExp[] = [
  /\0|(?<!\\)\\+u0000/g,
  /(?<=[\w+/-]{8})(?:\\*[\r\n]|\\+[rn])+(?=[\w+/-])/g,
  /(?<=(?:^|[^\da-f])[\da-f]{2})[ :](?=[\da-f]{2}(?![\da-f]))/gi,
]

/** The hits that reach over what was left out, as places in the whole text. */
export function inThinned<H extends Hit>(text: string, find: (text: string) => readonly H[]): readonly H[] {
  return between.flatMap((gap) => {
    const gaps = Array.from(text.matchAll(gap), ({ index, 0: { length } }) => ({ at: index, length }))
    return gaps.length === 0 ? [] : find(without(text, gaps)).flatMap((hit) => placed(hit, gaps))
  })
}

interface Gap {
  at: number
  length: number
}

function without(text: string, gaps: readonly Gap[]): string {
  let next = 0
  const kept = gaps.map(({ at, length }) => {
    const piece = text.slice(next, at)
    next = at + length
    return piece
  })
  return kept.join('') + text.slice(next)
}

/** Nothing of a hit that has no gap in it: it is found without this, too. */
function placed<H extends Hit>(hit: H, gaps: readonly Gap[]): readonly H[] {
  let [start, end] = [hit.start, hit.end]
  for (const { at, length } of gaps) {
    if (at > end - 1) break
    if (at <= start) start += length
    end += length
  }
  return end - start === hit.end - hit.start ? [] : [{ ...hit, start, end }]
}
