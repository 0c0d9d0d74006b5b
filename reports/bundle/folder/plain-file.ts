/** Reads files of a run: what lies under a name of one may be something else, and a pipe is waited for without end. */
import { readFileSync, statSync } from 'node:fs'
import { unreadable } from '../errors.ts'

/** Throws what the file system throws, and for a pipe, a device or a socket an error whose code says what it is not. */
export function readPlain(path: string): Buffer {
  mustBePlain(path)
  return readFileSync(path)
}

/** Throws as `readPlain` does; a folder is refused by whatever opens it. */
export function mustBePlain(path: string): void {
  const found = statSync(path)
  if (!found.isFile() && !found.isDirectory())
    throw Object.assign(new Error(`${path} is no plain file`), { code: 'no plain file' })
}

/** Throws a BundleError that names the file. */
export function plainOrRefused(path: string): Buffer {
  try {
    return readPlain(path)
  } catch (error) {
    throw unreadable(path, error)
  }
}
