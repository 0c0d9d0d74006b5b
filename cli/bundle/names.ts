/** Every name that a run may leave in its folder. Whatever else is there belongs to somebody else. */
import { exporters } from '../../reports/index.ts'

export const planFile = 'plan.json'
export const basisFile = 'judging.json'
export const journalFile = 'journal.ndjson'
export const recordFile = 'run.json'
export const ledgerFile = 'created.ndjson'
/** Only of a run with `--since`. */
export const changesFile = 'changes.json'

/** At the top of the folder. The record and what vouches for it stand first: without them no other counts. */
export const bundleFiles: readonly string[] = [
  'statement.dsse.json',
  'manifest.json',
  recordFile,
  ledgerFile,
  planFile,
  journalFile,
  basisFile,
  changesFile,
  ...exporters.map(({ file }) => file).filter((file) => file !== recordFile),
]
