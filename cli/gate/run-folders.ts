/** Folders below a folder, at any depth. Links are not followed, and what belongs to a run is not searched. */
import { readdirSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import { evidenceFolder } from '../../reports/bundle/journal/evidence.ts'
import { counterexamplesFolder, shardsFolder } from '../../reports/bundle/names.ts'
import { manifestFile } from '../../reports/bundle/seal/names.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'

export interface SearchedFolder {
  path: string
  entries: readonly Dirent[]
}

/** That are searched at the most: whoever fills the folder may be hostile. */
export const mostFolders = 100_000

const ofRun: readonly string[] = [evidenceFolder, counterexamplesFolder, shardsFolder]

/**
 * In the order of their names. `named`: how the command line names the folder. Throws a UsageError for one that cannot be
 * read, and where there are too many.
 */
export function* foldersBelow(folder: string, named: string): Generator<SearchedFolder> {
  const folders = [folder]
  for (let path = folders.pop(), visited = 1; path !== undefined; path = folders.pop(), visited++) {
    if (visited > mostFolders)
      throw new UsageError(`${named}: more than ${mostFolders} folders; name a smaller folder.`)
    const entries = entriesOf(path, named)
    const inner = entries
      .flatMap((one) => (one.isDirectory() ? [one.name] : []))
      .toSorted()
      .toReversed()
    // It may be as much as every body that the service sent.
    const skipped = entries.some(({ name }) => name === manifestFile) ? ofRun : []
    const searched = path
    folders.push(...inner.filter((name) => !skipped.includes(name)).map((name) => join(searched, name)))
    yield { path, entries }
  }
}

function entriesOf(path: string, named: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch (error) {
    throw new UsageError(`${named}: ${path} cannot be read (${codeOf(error)}); name another folder.`)
  }
}
