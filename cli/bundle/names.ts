/** Every name that a run may leave in its folder. Whatever else is there belongs to somebody else. */
import { readdirSync, rmSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { exporters } from '../../reports/index.ts'
import { counterexampleFolder } from '../../suites/curl.ts'
import { UsageError } from '../usage-error.ts'
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

/**
 * Throws a UsageError where something else has the name of a folder that a run makes, or a file of somebody else that
 * of one which it writes: such as the manifest.json of a web page.
 */
export function mustHaveRoom(path: string): void {
  const there = namesIn(path)
  const others = bundleFiles.filter((file) => file !== ledgerFile && there.includes(file))
  if (others.length > 0 && ![planFile, recordFile, journalFile].some((file) => there.includes(file)))
    throw new UsageError(
      `--out ${path}: ${others.join(', ')} there would be written over, and is of no run; move it away or name another folder.`,
    )
  for (const name of [evidenceFolder, dirname(counterexampleFolder('any'))])
    if (statSync(join(path, name), { throwIfNoEntry: false })?.isDirectory() === false)
      throw new UsageError(
        `--out ${path}: a run makes a folder ${name} there, and there is a file of that name; name another folder.`,
      )
}

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
