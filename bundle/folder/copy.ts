/** What was recorded of a run, in a further folder: as it was written, so that its chain still holds. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { evidenceFolder, isDigest } from '../journal/evidence.ts'
import { eachLine } from '../journal/lines.ts'
import type { Folder } from './folder.ts'
import { journalFile, planFile } from '../names.ts'

/** A line that was cut off stays behind. `from` must have been read before: nothing of it is looked at here. */
export function copyRecorded(from: string, { copy, write }: Pick<Folder, 'copy' | 'write'>): void {
  copy(planFile, join(from, planFile))
  const journal = join(from, journalFile)
  if (existsSync(journal)) copy(journalFile, journal, wholeLines(journal))
  else write(journalFile, '')
  for (const name of namesIn(join(from, evidenceFolder)).filter(isDigest))
    copy(`${evidenceFolder}/${name}`, join(from, evidenceFolder, name))
}

/** Bytes up to the end of the last whole line. */
const wholeLines = (file: string): number => statSync(file).size - eachLine(file, () => {})

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
