/** Every name that a run may leave in its folder. Whatever else is there belongs to somebody else. */
import { readdirSync, rmSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { exporters } from '../../reports/index.ts'
import { clearCounterexamples } from './counterexamples.ts'
import { evidenceFolder, isEvidence } from './evidence.ts'
import { ledgerFile } from './ledger.ts'
import { unfinished } from './unfinished.ts'

export const planFile = 'plan.json'
export const basisFile = 'judging.json'
export const journalFile = 'journal.ndjson'
export const recordFile = 'run.json'
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

/** Takes away what a run left but for what is in `but`, and nothing that somebody else put there. */
export function clearRun(path: string, but: readonly string[] = []): void {
  for (const file of bundleFiles.filter((name) => !but.includes(name)))
    for (const name of [file, `${file}${unfinished}`]) rmSync(join(path, name), { force: true })
  clearCounterexamples({ path })
  const evidence = join(path, evidenceFolder)
  const kept = namesIn(evidence)
  for (const name of kept.filter(isEvidence)) rmSync(join(evidence, name), { force: true })
  if (kept.length > 0 && kept.every(isEvidence)) rmdirSync(evidence)
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
