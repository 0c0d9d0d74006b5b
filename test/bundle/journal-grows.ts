/** How far the journal in a folder has come, seen from outside. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runningOf } from '../../bundle/folder/report-folder.ts'

/** Where a run writes its journal until it is complete, or has written it. */
function journalOf(out: string): string {
  const running = join(runningOf(out), 'journal.ndjson')
  return existsSync(running) ? running : join(out, 'journal.ndjson')
}

/** Lines that are whole; null before there is a journal. */
export function linesIn(folder: string): number | null {
  const journal = journalOf(folder)
  return existsSync(journal) ? readFileSync(journal, 'latin1').split('\n').length - 1 : null
}

/** Resolves when the journal has so many lines, or whoever writes it has ended before that. */
export async function journalHas(lines: number, folder: string, ended: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  void ended.then(() => over.abort())
  let size = -1
  while (!over.signal.aborted) {
    const now = statSync(journalOf(folder), { throwIfNoEntry: false })?.size ?? -1
    if (now !== size && (linesIn(folder) ?? -1) >= lines) return
    size = now
    await new Promise((next) => setTimeout(next, 2))
  }
}
