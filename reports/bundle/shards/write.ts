/** Writes a merged run: the lines of all shards in one journal, and what proves where they are from. */
import { join } from 'node:path'
import { createdLine } from '../created.ts'
import { copyEvidence, copyShard } from '../folder/copy.ts'
import type { Folder } from '../folder/folder.ts'
import { readLedger } from '../folder/ledger.ts'
import { readPlain } from '../folder/plain-file.ts'
import { openingIn, planText } from '../journal/writer.ts'
import { plainBasis, type Basis } from '../judging.ts'
import { basisFile, journalFile, ledgerFile, planFile, shardsFolder } from '../names.ts'
import type { JournalSeal, Run } from '../record.ts'
import { beginningLine, chained, contentOf, endLine, linesIn } from './lines.ts'

export interface ShardFolder {
  number: number
  path: string
}

/** All but the record and the reports. The folders must have been verified before: nothing in them is looked at here. */
export function writeMerged(
  { record, journal }: Run,
  basis: Basis,
  shards: readonly ShardFolder[],
  folder: Pick<Folder, 'write' | 'copy' | 'append' | 'grow'>,
): JournalSeal {
  const opening = openingIn(record)
  const judging = pretty(plainBasis(basis))
  const plan = planText(opening, record.plan, judging)
  folder.write(basisFile, judging)
  folder.write(planFile, plan)
  const contents = shards.flatMap(({ path }) => linesIn(readPlain(join(path, journalFile))).slice(1, -1))
  const growing = folder.grow(journalFile)
  const seal = chained(
    plan,
    [beginningLine(opening), ...contents.map(contentOf), endLine(record.run, journal.length)],
    (line) => growing.add(line),
  )
  growing.end()
  for (const { number, path } of shards) {
    copyEvidence(path, folder.copy)
    copyShard(path, `${shardsFolder}/${number}`, folder.copy)
    // Ids are unique within a shard only.
    for (const left of readLedger(path))
      folder.append(ledgerFile, createdLine({ ...left, id: `${number}-${left.id}` }))
  }
  return seal
}

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
