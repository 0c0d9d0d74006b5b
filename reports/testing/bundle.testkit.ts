import { createJournalWriter, writeJournalOf } from '../../bundle/journal/writer.ts'
import type { Basis, Run } from '../../bundle/record.ts'
import { journalFile } from '../../bundle/names.ts'
import { exporters } from '../formats/index.ts'

/** All files of a run but its counterexamples, as if it had been written in one go. `run` must be redacted. */
export function bundleOf(run: Run, basis: Basis): ReadonlyMap<string, string | Uint8Array> {
  const files = new Map<string, string | Uint8Array>()
  const lines: string[] = []
  const place = {
    write: (file: string, content: string | Uint8Array) => void files.set(file, content),
    grow: () => ({ add: (line: string) => void lines.push(line), end: () => undefined }),
  }
  const written = writeJournalOf(run, createJournalWriter(place, basis))
  const reports = exporters.map(({ file, render }) => [file, render(written, { files: new Set() })] as const)
  return new Map([...files, [journalFile, lines.join('')], ...reports])
}
