/** How far the journal in a folder has come, seen from outside. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Lines that are whole; null before there is a journal. */
export function linesIn(folder: string): number | null {
  const journal = join(folder, 'journal.ndjson')
  return existsSync(journal) ? readFileSync(journal).filter((byte) => byte === 10).length : null
}

/** Resolves when the journal has so many lines, or whoever writes it has ended before that. */
export async function journalHas(lines: number, folder: string, ended: Promise<unknown>): Promise<void> {
  const journal = join(folder, 'journal.ndjson')
  const over = new AbortController()
  void ended.then(() => over.abort())
  let size = -1
  while (!over.signal.aborted) {
    const now = statSync(journal, { throwIfNoEntry: false })?.size ?? -1
    if (now !== size && (linesIn(folder) ?? -1) >= lines) return
    size = now
    await new Promise((next) => setTimeout(next, 2))
  }
}
