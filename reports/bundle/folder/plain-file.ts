/** Reads files of a run: what lies under a name of one may be something else, and a pipe is waited for without end. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  type Stats,
} from 'node:fs'
import { unreadable } from '../errors.ts'

/** Throws what the file system throws, and for a pipe, a device or a socket an error whose code says what it is not. */
export function readPlain(path: string): Buffer {
  mustBePlain(path)
  return readFileSync(path)
}

/** Throws as `readPlain` does; a folder is refused by whatever opens it. */
export function mustBePlain(path: string): void {
  provePlain(path, statSync(path))
}

function provePlain(path: string, found: Stats): void {
  if (!found.isFile() && !found.isDirectory())
    throw Object.assign(new Error(`${path} is no plain file`), { code: 'no plain file' })
}

let buffer = Buffer.allocUnsafeSlow(1 << 18)

/**
 * As `readPlain`, in a buffer that the next call overwrites: thousands of files leave no garbage. Throws for a file of more
 * than `most` bytes.
 */
export function readPlainInPassing(path: string, most = Number.POSITIVE_INFINITY): Buffer {
  // A pipe without a writer is opened at once, and refused.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = fstatSync(file)
    provePlain(path, found)
    if (found.size > most) throw new Error(`${path} has more than ${most} bytes`)
    if (found.size >= buffer.length) buffer = Buffer.allocUnsafeSlow(2 * found.size)
    let end = 0
    for (;;) {
      const read = readSync(file, buffer, end, buffer.length - end, null)
      if (read === 0) return buffer.subarray(0, end)
      end += read
    }
  } finally {
    closeSync(file)
  }
}

/** Throws a BundleError that names the file. */
export function plainOrRefused(path: string): Buffer {
  try {
    return readPlain(path)
  } catch (error) {
    throw unreadable(path, error)
  }
}
