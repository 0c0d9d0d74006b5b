/** The list of the files that a run wrote, each with its digest. */
import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { counterexampleFiles } from '../../suites/counterexample/files.ts'
import { counterexampleFolder } from '../../reports/bundle/curl.ts'
import { evidenceFolder } from '../bundle/evidence.ts'
import { bundleFiles } from '../bundle/names.ts'
import { digestOfFile, type Digest } from './digest.ts'
import { manifestFile, statementFile } from './names.ts'
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
 * `more`: files that a run wrote under names of the user's choosing. The folder may hold much of somebody else, and is
 * not searched; what an earlier run left there was removed when this one began.
 */
export function manifestOf(folder: string, more: readonly string[] = []): Manifest {
  const named = [...bundleFiles, ...more].filter((path) => path !== manifestFile && path !== statementFile)
  const below = [evidenceFolder, counterexamples].flatMap((inner) => filesIn(folder, inner)).filter(isOfRun)
  const paths = [...new Set([...named.filter((path) => isPlain(join(folder, path))), ...below])]
  const files = paths.toSorted(byCode).map((path) => ({ path, ...digestOfFile(join(folder, path)) }))
  return { schemaVersion: 1, files }
}

const counterexamples = dirname(counterexampleFolder('any'))

function filesIn(folder: string, inner: string): readonly string[] {
  if (!lstatSync(join(folder, inner), { throwIfNoEntry: false })?.isDirectory()) return []
  return filesBelow(folder, inner).flatMap(({ path, plain }) => (plain ? [path] : []))
}

function isOfRun(path: string): boolean {
  const [top, name = '', file, ...deeper] = path.split('/')
  if (deeper.length > 0) return false
  if (top === evidenceFolder) return file === undefined && /^[0-9a-f]{64}$/.test(name)
  return counterexampleFiles.some((known) => known === file)
}

function isPlain(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
