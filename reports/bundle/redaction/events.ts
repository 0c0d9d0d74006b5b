/** Finds the events of streams in a text, of which a line may have megabytes. */

const name = 'data:'
const [LF, CR, SPACE, QUOTE, BACKSLASH] = [0x0a, 0x0d, 0x20, 0x22, 0x5c]
const brackets: readonly unknown[] = [0x5b, 0x7b]

/** What follows `data:` at the beginning of a line, or of a text in JSON, up to the end of the line, where it may be JSON. */
export function* eventDataIn(text: Buffer): Generator<string> {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at)) {
    const isFirst = at === 0 || [LF, CR, QUOTE].includes(text[at - 1] ?? 0)
    at += name.length
    const start = text[at] === SPACE ? at + 1 : at
    const isOpened = brackets.includes(text[start])
    if (!isFirst || (!isOpened && text[start] !== QUOTE)) continue
    at = endOfLine(text, start)
    // The beginning of a text that is still escaped.
    if (isOpened && text[start + 1] === BACKSLASH) continue
    yield text.toString('latin1', start, at)
  }
}

function endOfLine(text: Buffer, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === LF || text[at] === CR) return at
  return text.length
}
