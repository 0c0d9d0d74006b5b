/** The counterexamples of a run on disk. Those of an earlier run go first: they would be taken for its result. */
import { chmodSync, existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { counterexampleFiles, filesOf } from '../../suites/counterexample/files.ts'
import { counterexampleFolder } from '../../suites/curl.ts'
import type { Run } from '../../suites/record.ts'
import { serverScenarios } from '../../suites/scenarios.ts'
import type { Target } from '../../suites/target/target.ts'
import type { Bundle } from './bundle.ts'
import type { Folder } from './folder.ts'
import { unfinished } from './unfinished.ts'

/** `run` must be without secrets. */
export function counterexamplesOf(run: Run, target: Target): Bundle {
  return filesOf(run, { target, scenarios: serverScenarios })
}

export function writeCounterexamples(files: Bundle, folder: Folder): void {
  for (const [file, content] of files) {
    folder.write(file, content)
    if (file.endsWith('.sh')) chmodSync(join(folder.path, file), 0o755)
  }
}

/** Takes away what a run wrote, and nothing that somebody else put there. */
export function clearCounterexamples({ path }: Pick<Folder, 'path'>): void {
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
