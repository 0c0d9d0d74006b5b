/** Reads files that a user named, and those of a run. A pipe or a device is refused: reading one may never end. */
import { readdirSync, readFileSync, statSync, type Stats } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { nearest } from '../../spec/nearest.ts'
import { codeOf, systemReason, unreadable } from '../errors.ts'

/**
 * `most`: mebibytes. Throws what the file system throws, and for what is no plain file, or too large, an error whose code
 * says so.
 */
export function readPlain(path: string, most = 16): Buffer {
  // What a shell hands over, such as `<(command)`, has a process that writes it.
  if (/^\/dev\/(?:stdin|fd\/\d+)$/.test(path) && statSync(path).isFIFO()) return readFileSync(path)
  if (mustBePlain(path).size > most << 20)
    throw Object.assign(new Error(`${path} is too large`), { code: `it has more than ${most} MiB` })
  return readFileSync(path)
}

/** Throws as `readPlain` does; a folder is refused when it is opened. */
export function mustBePlain(path: string): Stats {
  const found = statSync(path)
  if (found.isFile() || found.isDirectory()) return found
  throw Object.assign(new Error(`${path} is no plain file`), { code: 'it is no plain file' })
}

/** Throws a BundleError that names the file. */
export function plainOrRefused(path: string): Buffer {
  try {
    return readPlain(path)
  } catch (error) {
    throw unreadable(path, error)
  }
}

const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'is a folder; give a file',
  EACCES: 'cannot be read (permission denied)',
}

/** The text of a file that was named, or the predicate of a sentence about it. */
export function readNamed(
  path: string,
): { text: string; problem?: never } | { text?: never; problem: string } {
  try {
    return { text: readPlain(path).toString() }
  } catch (error) {
    return { problem: readProblem(path, error) }
  }
}

/** The predicate of a sentence about the file, such as `not found; did you mean staging.yaml?`. */
export function readProblem(path: string, error: unknown): string {
  const code = codeOf(error)
  if (code !== 'ENOENT' && code !== 'ENOTDIR')
    return reasons[code] ?? `cannot be read (${systemReason(error)})`
  const near = neighbour(path)
  return near === undefined ? 'not found; check the path' : `not found; did you mean ${near}?`
}

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
