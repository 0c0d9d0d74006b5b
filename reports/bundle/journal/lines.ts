/** The lines of a file, a piece at a time: the journal of a long run is larger than what may be held of it. */
import { closeSync, openSync, readSync } from 'node:fs'
import { mustBePlain } from '../folder/plain-file.ts'

export interface FileLine {
  /** Offset of its first byte. */
  from: number
  /** Without the line end; they are overwritten by the next line. */
  bytes: Buffer
}

const newline = 0x0a
const piece = 1 << 20

/**
 * Calls `take` with each line. Only what has its end is a line: returns how many bytes follow the last. Throws what the
 * file system throws.
 */
export function eachLine(path: string, take: (line: FileLine) => void): number {
  mustBePlain(path)
  const file = openSync(path, 'r')
  let buffer = Buffer.allocUnsafeSlow(piece)
  let [from, rest] = [0, 0]
  try {
    for (;;) {
      if (rest === buffer.length) buffer = Buffer.concat([buffer], 2 * rest)
      const read = readSync(file, buffer, rest, buffer.length - rest, null)
      if (read === 0) return rest
      const filled = buffer.subarray(0, rest + read)
      let start = 0
      for (let end = filled.indexOf(newline, rest); end !== -1; end = filled.indexOf(newline, start)) {
        take({ from: from + start, bytes: filled.subarray(start, end) })
        start = end + 1
      }
      filled.copyWithin(0, start)
      from += start
      rest = filled.length - start
    }
  } finally {
    closeSync(file)
  }
}

/** Bytes of a file. Throws what the file system throws. */
export function partOfFile(path: string, from: number, length: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.allocUnsafe(length)
    return bytes.subarray(0, readSync(file, bytes, 0, length, from))
  } finally {
    closeSync(file)
  }
}
