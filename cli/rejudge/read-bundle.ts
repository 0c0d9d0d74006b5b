/** Reads the run in a folder; an interrupted one is judged with the scenarios of this version. */
import { readRun, type RecordedRun } from '../../reports/bundle/read-run.ts'
import type { Target } from '../../suites/config/target.ts'
import { endsOf, judgeInterrupted } from './interrupted-run.ts'

/** `judging.json` as the judges need it; its schema was checked when it was read. */
export type JudgeBasis = Pick<Target, 'dialect' | 'policy' | 'identifiers'>

export interface ReadBundle extends RecordedRun {
  basis: JudgeBasis
}

/** Throws a BundleError for what cannot be read and for what was altered. */
export function readBundle(path: string): ReadBundle {
  return readRun(path, { judge: judgeInterrupted, ends: endsOf }) as ReadBundle
}
