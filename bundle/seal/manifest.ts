/** The list of the files that a run wrote, each with its digest. */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { evidenceFolder } from '../journal/evidence.ts'
import {
  bundleFiles,
  counterexampleFiles,
  counterexamplesFolder,
  manifestFile,
  statementFile,
} from '../names.ts'
import { pretty } from '../text.ts'
import { digestOfFile, type Digest } from './digest.ts'
import { byCode, filesBelow } from './walk.ts'

export interface Sealed extends Digest {
  path: string
}

export interface Manifest {
  schemaVersion: 1
  /** Sorted by path; neither the manifest itself nor what is signed over it. */
  files: readonly Sealed[]
}

/**
 * `reports`: files with names that only their writer knows. The folder may contain files of others, so it is not
 * searched; those of an earlier run were deleted when this one began.
 */
export function manifestOf(folder: string, reports: readonly string[]): Manifest {
  const named = [...bundleFiles, ...reports].filter((path) => path !== manifestFile && path !== statementFile)
  const below = [evidenceFolder, counterexamplesFolder]
    .flatMap((inner) => {
      if (!lstatSync(join(folder, inner), { throwIfNoEntry: false })?.isDirectory()) return []
      return filesBelow(folder, inner).flatMap(({ path, plain }) => (plain ? [path] : []))
    })
    .filter(isOfRun)
  const paths = [...new Set([...named.filter((path) => isPlain(join(folder, path))), ...below])]
  const files = paths.toSorted(byCode).map((path) => ({ path, ...digestOfFile(join(folder, path)) }))
  return { schemaVersion: 1, files }
}

export const manifestText = (folder: string, reports: readonly string[]): string =>
  pretty(manifestOf(folder, reports))

function isOfRun(path: string): boolean {
  const [top, name = '', file, ...deeper] = path.split('/')
  if (deeper.length > 0) return false
  if (top === evidenceFolder) return file === undefined && /^[0-9a-f]{64}$/.test(name)
  return counterexampleFiles.some((known) => known === file)
}

function isPlain(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
