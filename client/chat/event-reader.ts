/** Server-Sent Events as their standard has them: bytes in, the data of whole events out. */

export interface EventReader {
  /** Bytes in the order in which they came, cut anywhere. What is left unfinished at the end is no event. */
  push(bytes: Uint8Array): string[]
}

/** The value of a `data` line; null for any other field, and for a comment. */
function dataOf(line: string): string | null {
  const colon = line.indexOf(':')
  if (colon === -1) return line === 'data' ? '' : null
  if (line.slice(0, colon) !== 'data') return null
  return line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
}

/** Takes lines off a text that comes in parts; CR, LF and CR LF end one. */
function createLines(): (text: string) => string[] {
  let begun = ''
  let afterReturn = false
  return (text) => {
    const lines: string[] = []
    let from = afterReturn && text.startsWith('\n') ? 1 : 0
    if (text !== '') afterReturn = false
    // Only what is new is searched, so that a long line costs its length and not the square of it.
    const ends = /\r\n|\r|\n/g
    ends.lastIndex = from
    for (let end = ends.exec(text); end; end = ends.exec(text)) {
      lines.push(begun + text.slice(from, end.index))
      begun = ''
      from = ends.lastIndex
      afterReturn = end[0] === '\r' && from === text.length
    }
    begun += text.slice(from)
    return lines
  }
}

export function createEventReader(): EventReader {
  // The standard takes one mark off the beginning; the decoder keeps it, so that it is taken off once.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const linesOf = createLines()
  let isFirst = true
  let data: string[] = []

  const take = (line: string): string | null => {
    if (line === '') {
      const whole = data.length > 0 ? data.join('\n') : null
      data = []
      return whole
    }
    const value = dataOf(line)
    if (value !== null) data.push(value)
    return null
  }
  return {
    push: (bytes) => {
      const text = decoder.decode(bytes, { stream: true })
      const plain = isFirst && text.startsWith('\ufeff') ? text.slice(1) : text
      if (text !== '') isFirst = false
      return linesOf(plain)
        .map(take)
        .filter((whole) => whole !== null)
    },
  }
}
