/** SHA-256, hex: of bytes, and of a file without reading it whole; and which files lie below a folder. */
import { createHash, hash } from 'node:crypto'
import { closeSync, openSync, readSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface Digest {
  size: number
  sha256: string
}

export function sha256(bytes: string | Uint8Array): string {
  return hash('sha256', bytes, 'hex')
}

/** One for all files, as no two are read at the same time. */
const buffer = Buffer.allocUnsafeSlow(1 << 18)

/** Of the first `most` bytes. Throws what the file system throws. */
export function digestOfFile(path: string, most = Number.POSITIVE_INFINITY): Digest {
  const hash = createHash('sha256')
  const file = openSync(path, 'r')
  let size = 0
  try {
    for (;;) {
      const read = readSync(file, buffer, 0, Math.min(buffer.length, most - size), null)
      if (read === 0) return { size, sha256: hash.digest('hex') }
      hash.update(buffer.subarray(0, read))
      size += read
    }
  } finally {
    closeSync(file)
  }
}

export interface FoundFile {
  /** Below the folder, with `/` between its parts. */
  path: string
  /** False of a link, a pipe, a device and a folder that cannot be read: none of them is followed, opened or read. */
  plain: boolean
}

/** Every file, sorted by path. Throws what the file system throws when the folder itself cannot be read. */
export function filesBelow(folder: string, inner = ''): readonly FoundFile[] {
  const found = readdirSync(join(folder, inner), { withFileTypes: true }).flatMap((entry) => {
    const path = inner === '' ? entry.name : `${inner}/${entry.name}`
    return entry.isDirectory() ? insideOf(folder, path) : [{ path, plain: entry.isFile() }]
  })
  return found.toSorted((one, other) => byCode(one.path, other.path))
}

function insideOf(folder: string, path: string): readonly FoundFile[] {
  try {
    return filesBelow(folder, path)
  } catch {
    return [{ path, plain: false }]
  }
}

/** The same order on every machine. */
export function byCode(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
