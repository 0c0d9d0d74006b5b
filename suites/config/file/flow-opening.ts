/** Where an unclosed `{` or `[` of a YAML text was opened. */

const closing: Readonly<Record<string, string>> = { '}': '{', ']': '[' }

/** Comments and quoted texts, whose brackets mean nothing. A quote inside a word is an apostrophe. */
const ignored = /(?<=^|\s)#.*|(?<=^|[\s,[{:])(?:"(?:\\.|[^"\\])*"|'(?:''|[^'])*')/gm

/** The offset of the last bracket that is open at `end`; null if none is. */
export function flowOpening(text: string, end: number): number | null {
  const open: number[] = []
  const blank = text.replaceAll(ignored, (part) => ' '.repeat(part.length))
  for (let i = 0; i < end; i++) {
    const character = blank.charAt(i)
    if (character === '{' || character === '[') open.push(i)
    const opening = closing[character]
    if (opening !== undefined && blank.charAt(open.at(-1) ?? -1) === opening) open.pop()
  }
  return open.at(-1) ?? null
}
