/** Makes room in a folder for a run: deletes the files of an earlier one, and nothing else. */
import { existsSync, readdirSync, rmSync, rmdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { BundleError } from '../errors.ts'
import { SecretLeft } from '../redaction/leaks.ts'
import { evidenceFolder, isEvidence } from '../journal/evidence.ts'
import {
  bundleFiles,
  counterexampleFiles,
  counterexamplesFolder,
  journalFile,
  ledgerFile,
  planFile,
  recordFile,
  unfinished,
} from '../names.ts'

/** Throws a BundleError where a file of somebody else has a name that the run will write, such as the manifest.json of a web page. */
export function mustHaveRoom(path: string, reports: readonly string[]): void {
  const there = namesIn(path)
  const others = [...bundleFiles, ...reports].filter((file) => file !== ledgerFile && there.includes(file))
  if (others.length > 0 && ![planFile, recordFile, journalFile].some((file) => there.includes(file)))
    throw new BundleError(
      `${path}: ${others.join(', ')} would be overwritten, and are of no run; move them away or name another folder.`,
    )
  for (const name of [evidenceFolder, counterexamplesFolder])
    if (statSync(join(path, name), { throwIfNoEntry: false })?.isDirectory() === false)
      throw new BundleError(
        `${path}: there is a file ${name}, and a run creates a folder of that name; name another folder.`,
      )
}

/** Deletes what a run left, except the files in `but`: it would be mistaken for the result of the next. */
export function clearRun(path: string, reports: readonly string[], but: readonly string[] = []): void {
  for (const file of [...bundleFiles, ...reports].filter((name) => !but.includes(name)))
    for (const name of [file, `${file}${unfinished}`]) rmSync(join(path, name), { force: true })
  clearCounterexamples(path)
  const evidence = join(path, evidenceFolder)
  const kept = namesIn(evidence)
  for (const name of kept.filter(isEvidence)) rmSync(join(evidence, name), { force: true })
  if (kept.length > 0 && kept.every(isEvidence)) rmdirSync(evidence)
}

function clearCounterexamples(path: string): void {
  const root = join(path, counterexamplesFolder)
  if (!existsSync(root)) return
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const own = join(root, entry.name)
    for (const file of counterexampleFiles)
      for (const name of [file, `${file}${unfinished}`]) rmSync(join(own, name), { force: true })
    if (readdirSync(own).length === 0) rmdirSync(own)
  }
  if (readdirSync(root).length === 0) rmdirSync(root)
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** After a failure. Where a secret would have been written, nothing stays but the ledger, which cleanup needs. */
export function clearAfter(error: unknown, path: string, reports: readonly string[]): void {
  if (error instanceof SecretLeft) clearRun(path, reports, [ledgerFile])
}
