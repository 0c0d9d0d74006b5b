/** The list of the files that a run wrote, each with its digest. */
import { join } from 'node:path'
import { counterexampleFiles } from '../../suites/counterexample/files.ts'
import { counterexampleFolder } from '../../suites/curl.ts'
import { bundleFiles } from '../bundle/names.ts'
import { digestOfFile, type Digest } from './digest.ts'
import { manifestFile, statementFile } from './names.ts'
import { filesBelow } from './walk.ts'

export interface Sealed extends Digest {
  path: string
}

export interface Manifest {
  schemaVersion: 1
  /** Sorted by path; neither the manifest itself nor what is signed over it. */
  files: readonly Sealed[]
}

/** `more`: files that a run wrote under names of the user's choosing. */
export function manifestOf(folder: string, more: readonly string[] = []): Manifest {
  const own = filesBelow(folder).filter(({ path, plain }) => plain && (isOfRun(path) || more.includes(path)))
  const files = own.map(({ path }) => ({ path, ...digestOfFile(join(folder, path)) }))
  return { schemaVersion: 1, files }
}

const root = counterexampleFolder('')

/** A folder may hold files of somebody else; those of an earlier run were removed when this one began. */
function isOfRun(path: string): boolean {
  if (path === manifestFile || path === statementFile) return false
  if (bundleFiles.includes(path)) return true
  const [top, name = '', file = '', ...deeper] = path.split('/')
  if (deeper.length > 0) return false
  if (top === 'evidence') return file === '' && /^[0-9a-f]{64}$/.test(name)
  return `${top}/` === root && counterexampleFiles.some((known) => known === file)
}
