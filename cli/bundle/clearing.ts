/** Makes room in a folder for a run: takes away what an earlier one left, and nothing that somebody else put there. */
import { existsSync, readdirSync, rmSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { counterexampleFiles } from '../../suites/counterexample/files.ts'
import { counterexampleFolder } from '../../reports/bundle/curl.ts'
import { UsageError } from '../usage-error.ts'
import { evidenceFolder, isEvidence } from './evidence.ts'
import { bundleFiles, journalFile, ledgerFile, planFile, recordFile } from './names.ts'
import { unfinished } from './unfinished.ts'

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

/** Takes away what a run left, which would be taken for the result of the next, but for what is in `but`, and nothing that somebody else put there. */
export function clearRun(path: string, but: readonly string[] = []): void {
  for (const file of bundleFiles.filter((name) => !but.includes(name)))
    for (const name of [file, `${file}${unfinished}`]) rmSync(join(path, name), { force: true })
  clearCounterexamples(path)
  const evidence = join(path, evidenceFolder)
  const kept = namesIn(evidence)
  for (const name of kept.filter(isEvidence)) rmSync(join(evidence, name), { force: true })
  if (kept.length > 0 && kept.every(isEvidence)) rmdirSync(evidence)
}

function clearCounterexamples(path: string): void {
  const root = join(path, dirname(counterexampleFolder('any')))
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
