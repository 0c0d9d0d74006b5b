/** Memory of commands that read or write a run of any length. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { hasLongJournal } from './long-journal.ts'

/**
 * Large bodies leave much garbage. By default the heap may grow to several times what is used before it is collected,
 * and what is young moves to pages that are rarely returned.
 */
export function keepHeapSmall(): void {
  const flags = ['--heap-growing-percent=30', '--semi-space-growth-factor=1', '--expose-gc']
  for (const flag of flags) setFlagsFromString(flag)
  collect = runInNewContext('gc') as Collect
}

/** The last resort also empties pages that are hardly used, and returns them. */
type Collect = (how: { type: 'major'; flavor: 'last-resort' }) => void
let collect: Collect | null = null

/** Frees what was left behind so far, where the heap is kept small: else it grows by a third before that is done. */
export function collectGarbage(): void {
  collect?.({ type: 'major', flavor: 'last-resort' })
}

/** Does so where one of these folders has a run whose journal is long; a small heap costs time. */
export function keepHeapSmallFor(folders: readonly string[]): void {
  if (folders.some(hasLongJournal)) keepHeapSmall()
}
