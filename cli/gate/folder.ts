/** Statements in a folder, at any depth. Links are not followed. */
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOfFile } from '../../reports/bundle/seal/digest.ts'
import { manifestFile, statementFile } from '../../reports/bundle/seal/names.ts'
import type { Subjects } from '../../reports/bundle/seal/statement.ts'
import { foldersBelow } from './run-folders.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'
import { readLimits, type Found } from './limits.ts'

/** Throws a UsageError for a folder that cannot be read, or has more in it than is searched. */
export function* statementsIn(folder: string): Generator<Found> {
  let found = 0
  for (const { path, entries } of foldersBelow(folder, `--from ${folder}`)) {
    if (!entries.some((one) => one.name === statementFile && one.isFile())) continue
    found++
    if (found > readLimits.statements)
      throw new UsageError(
        `--from ${folder}: more than ${readLimits.statements} statements; name a smaller folder.`,
      )
    yield foundIn(path)
  }
}

function foundIn(folder: string): Found {
  const file = join(folder, statementFile)
  const fits = (subjects: Subjects): boolean => besideFits(folder, subjects)
  try {
    const { size } = lstatSync(file)
    if (size > readLimits.statementBytes)
      return { file, why: `larger than ${readLimits.statementBytes} bytes` }
    return { file, bytes: readFileSync(file), fits }
  } catch (error) {
    return { file, why: `cannot be read (${codeOf(error)})` }
  }
}

/** Whether the two files that the statement names, if they are there, are those. */
function besideFits(folder: string, { record, manifest }: Subjects): boolean {
  return Object.entries({ 'run.json': record, [manifestFile]: manifest }).every(([name, digest]) => {
    const file = join(folder, name)
    const stat = lstatSync(file, { throwIfNoEntry: false })
    if (stat === undefined) return true
    return stat.isFile() && digestOfFile(file, readLimits.besideBytes).sha256 === digest
  })
}
