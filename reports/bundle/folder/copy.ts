/** What was recorded of a run, in a further folder: as it was written, so that its chain still holds. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { evidenceFolder, isDigest } from '../journal/evidence.ts'
import type { Folder } from './folder.ts'
import { journalFile, planFile, shardFiles, shardsFolder } from '../names.ts'
import { readPlain } from './plain-file.ts'

/** A line that was cut off stays behind. `from` must have been read before: nothing of it is looked at here. */
export function copyRecorded(from: string, { write }: Pick<Folder, 'write'>): void {
  write(planFile, readPlain(join(from, planFile)))
  const journal = contentOf(join(from, journalFile))
  write(journalFile, journal.subarray(0, journal.lastIndexOf(10) + 1))
  copyEvidence(from, write)
  for (const number of namesIn(join(from, shardsFolder)))
    copyShard(join(from, shardsFolder, number), `${shardsFolder}/${number}`, write)
}

/** Large bodies; `from` must have been read before. */
export function copyEvidence(from: string, write: Folder['write']): void {
  for (const name of namesIn(join(from, evidenceFolder)).filter(isDigest))
    write(`${evidenceFolder}/${name}`, readPlain(join(from, evidenceFolder, name)))
}

/** What a merged run keeps of a shard. */
export function copyShard(from: string, to: string, write: Folder['write']): void {
  const there = shardFiles.filter((file) => namesIn(from).includes(file))
  for (const file of there) write(`${to}/${file}`, readPlain(join(from, file)))
}

function contentOf(file: string): Buffer {
  try {
    return readPlain(file)
  } catch {
    return Buffer.alloc(0)
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
