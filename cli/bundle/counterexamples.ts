/** The counterexamples of a run on disk. */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { filesOf } from '../../suites/counterexample/files.ts'
import type { Run } from '../../reports/bundle/record.ts'
import { serverScenarios } from '../../suites/scenarios.ts'
import type { Target } from '../../suites/config/target.ts'
import type { Bundle } from './bundle.ts'
import type { Folder } from './folder.ts'

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
