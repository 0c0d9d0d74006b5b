/** The lines of a journal without their chain: a merged run has those of its shards, with their contents as they were. */
import { createChain } from '../journal/chain.ts'
import type { JournalSeal, Lifecycle, Opening } from '../record.ts'

export const beginningLine = (opening: Opening): string => JSON.stringify({ is: 'run', opening })

export const endLine = ({ endedAt, lifecycle }: Lifecycle, exchanges: number): string =>
  JSON.stringify({ is: 'end', endedAt, lifecycle, exchanges })

/** The content of a line, as it was before it was chained. */
export function contentOf(line: string): string {
  return `{${line.replace(/^\{"seq":\d+,"prev":"[0-9a-f]{64}",/, '')}`
}

/** Whole lines of a journal. */
export function linesIn(journal: Buffer): readonly string[] {
  return journal.toString('utf8').split('\n').slice(0, -1)
}

/** Chains the contents to a plan. `add` gets each line, with its end. */
export function chained(plan: string, contents: readonly string[], add: (line: string) => void): JournalSeal {
  const chain = createChain(plan)
  for (const content of contents) add(`${chain.next(content)}\n`)
  return chain.seal()
}
