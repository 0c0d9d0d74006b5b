/** Statements in a folder, at any depth. Links are not followed. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { evidenceFolder } from '../../reports/bundle/journal/evidence.ts'
import { counterexamplesFolder, shardsFolder } from '../../reports/bundle/names.ts'
import { digestOfFile } from '../../reports/bundle/seal/digest.ts'
import { manifestFile, statementFile } from '../../reports/bundle/seal/names.ts'
import type { Subjects } from '../../reports/bundle/seal/statement.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'
import { readLimits, type Found } from './limits.ts'

const ofRun: readonly string[] = [evidenceFolder, counterexamplesFolder, shardsFolder]

/** Throws a UsageError for a folder that cannot be read, or has more in it than is searched. */
export function* statementsIn(folder: string): Generator<Found> {
  let found = 0
  const folders = [folder]
  for (let path = folders.pop(), visited = 1; path !== undefined; path = folders.pop(), visited++) {
    if (visited > readLimits.folders || found > readLimits.statements)
      throw new UsageError(
        `--from ${folder}: more than ${readLimits.folders} folders or ${readLimits.statements} statements; name a smaller folder.`,
      )
    const entries = entriesOf(path, folder)
    const inner = entries
      .flatMap((one) => (one.isDirectory() ? [one.name] : []))
      .toSorted()
      .toReversed()
    // What belongs to a run is not searched: it may be as much as every body that the service sent.
    const skipped = entries.some(({ name }) => name === manifestFile) ? ofRun : []
    folders.push(...inner.filter((name) => !skipped.includes(name)).map((name) => join(path, name)))
    if (!entries.some((one) => one.name === statementFile && one.isFile())) continue
    found++
    yield foundIn(path)
  }
}

function entriesOf(path: string, folder: string) {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch (error) {
    throw new UsageError(`--from ${folder}: ${path} cannot be read (${codeOf(error)}); name another folder.`)
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
