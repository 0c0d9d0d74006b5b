/** The names of the files of a run. What else is in its folder belongs to somebody else. */
import { dirname } from 'node:path'

/** The two files that are written last, over all the others of a run. */
export const manifestFile = 'manifest.json'
export const statementFile = 'statement.dsse.json'
/** What `certify` signs: digests of the run and of the files that are handed over. */
export const testResultFile = 'test-result.dsse.json'

export const planFile = 'plan.json'
export const basisFile = 'judging.json'
export const journalFile = 'journal.ndjson'
export const recordFile = 'run.json'
export const ledgerFile = 'created.ndjson'
export const receiverLogFile = 'receiver.log'
/** Only of a run with `--since`. */
export const changesFile = 'changes.json'

/** At the top of the folder, without reports. Record and manifest come first: without them no other file counts. */
export const bundleFiles: readonly string[] = [
  statementFile,
  manifestFile,
  recordFile,
  ledgerFile,
  planFile,
  journalFile,
  basisFile,
  changesFile,
  receiverLogFile,
]

export const counterexamplesFolder = dirname(counterexampleFolder('any'))
/** In the folder of each counterexample. */
export const counterexampleFiles = ['repro.sh', 'exchanges.ndjson'] as const

/** Ends the name of a file that is being written. */
export const unfinished = '.part'

/** Path of the files that replay a failed check, below the folder of the run. */
export function counterexampleFolder(check: string): string {
  return `counterexamples/${check.replaceAll(/[^\w-]+/g, '-')}`
}
