/** Reads files that a user named, and those of a run. A pipe or a device is refused: reading one may never end. */
import { readFileSync, statSync, type Stats } from 'node:fs'
import { unreadable } from '../errors.ts'

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
