/** The data lines of an event stream, each with its value and the time at which it had arrived. Read plainly. */
import type { Chunk } from '../exchange.ts'
import { parseJson } from '../json.ts'

export interface EventLine {
  /** Milliseconds since the run began: of the chunk that ended the line. */
  at: number
  /** As JSON; undefined where it is none. */
  value: unknown
}

const data = /^data(?:: ?|$)/

export function eventLines(chunks: readonly Chunk[] = []): readonly EventLine[] {
  // One character a byte, so that a place in the text is a place in the bytes.
  const text = Buffer.concat(chunks.map(({ bytes }) => bytes)).toString('latin1')
  const arrival = arrivals(chunks)
  const lines: EventLine[] = []
  for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g)) {
    if (!data.test(line)) continue
    const value = parsed(Buffer.from(line.replace(data, ''), 'latin1').toString())
    lines.push({ at: arrival(index + line.length), value })
  }
  return lines
}

/** Of a place in the bytes, asked for in order: when the byte there came, or the last one. */
function arrivals(chunks: readonly { at: number; bytes: Uint8Array }[]): (place: number) => number {
  let chunk = 0
  let end = chunks[0]?.bytes.length ?? 0
  return (place) => {
    while (place >= end && chunk < chunks.length - 1) {
      chunk += 1
      end += chunks[chunk]?.bytes.length ?? 0
    }
    return chunks[chunk]?.at ?? 0
  }
}

function parsed(text: string): unknown {
  const data = parseJson(text)
  return data.ok ? data.value : undefined
}
