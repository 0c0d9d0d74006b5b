/**
 * Lines that are chained: each holds the digest of the one before it, and the first that of what was planned. Who
 * changes one has to change all that follow, and with them the digest of the last, which stands in the record.
 */
import type { JournalSeal } from '../record.ts'
import { sha256 } from '../seal/digest.ts'

export interface Chain {
  /** The next line, without its end, from the JSON of an object. It has to be written before the one after it is asked for. */
  next(content: string): string
  seal(): JournalSeal
}

/** `plan`: the bytes that the first line is chained to. */
export function createChain(plan: string): Chain {
  let lines = 0
  let head = sha256(plan)
  return {
    next(content) {
      const line = `{"seq":${lines},"prev":"${head}",${content.slice(1)}`
      lines++
      head = sha256(line)
      return line
    },
    seal: () => ({ lines, head }),
  }
}
