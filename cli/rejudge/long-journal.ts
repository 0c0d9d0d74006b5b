/** Which runs are long. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { journalFile } from '../../reports/bundle/names.ts'

/** Bytes of a journal: that of a standard run has less. */
const long = 8 << 20

/** Whether this is the folder of a run whose journal is long; of what cannot be read, the command says why. */
export function hasLongJournal(folder: string): boolean {
  try {
    return statSync(join(folder, journalFile)).size > long
  } catch {
    return false
  }
}
