/** Reads the run in a folder; an interrupted one is judged with the scenarios of this version. */
import type { RecordedJournal } from '../../reports/bundle/journal/reader.ts'
import { readRun, type RecordedRun } from '../../reports/bundle/read-run.ts'
import { endsOf, judgeInterrupted, type JudgeBasis } from './interrupted-run.ts'

export type { JudgeBasis }

export interface ReadBundle extends RecordedRun {
  basis: JudgeBasis
}

/** Throws a BundleError for what cannot be read and for what was altered. `journal`: if it was read before. */
export function readBundle(path: string, journal?: () => RecordedJournal): ReadBundle {
  return readRun(path, { judge: judgeInterrupted, ends: endsOf }, journal) as ReadBundle
}
