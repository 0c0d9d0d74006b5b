/** Why a file that was named cannot be read, and which one was probably meant. */
import { readdirSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { codeOf } from '../../../reports/bundle/errors.ts'
import { nearest } from './nearest.ts'

const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'is a folder; give a file',
  EACCES: 'cannot be read (permission denied)',
}

/** The predicate of a sentence about the file, such as `not found; did you mean staging.yaml?`. */
export function readProblem(path: string, error: unknown): string {
  const code = codeOf(error)
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return reasons[code] ?? `cannot be read (${code})`
  const near = neighbour(path)
  return near === undefined ? 'not found; check the path' : `not found; did you mean ${near}?`
}

/** A file of the same folder with another extension or a similar name. */
function neighbour(path: string): string | undefined {
  const folder = dirname(path)
  const names = namesIn(folder)
  const stem = nearest(stemOf(path), names.map(stemOf))
  const near = names.find((name) => stemOf(name) === stem)
  return near && (folder === '.' ? near : join(folder, near))
}

const stemOf = (path: string): string => basename(path, extname(path))

function namesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  } catch {
    return []
  }
}
