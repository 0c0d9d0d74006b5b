/** SHA-256, hex: of bytes, and of a file without reading it whole. */
import { createHash, hash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'

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
