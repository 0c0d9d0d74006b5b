/** What lies below a folder. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

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
