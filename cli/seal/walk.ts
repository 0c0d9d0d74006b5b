/** What lies below a folder. */
import { readdirSync, type Dirent } from 'node:fs'
import { join } from 'node:path'

export interface Found {
  /** Below the folder, with `/` between its parts. */
  path: string
  /** False of a link, a pipe or a device: it is not followed, opened or read. */
  plain: boolean
}

/** Every file, sorted by path. Throws what the file system throws. */
export function filesBelow(folder: string, inner = ''): readonly Found[] {
  const entries = readdirSync(join(folder, inner), { withFileTypes: true })
  const found = entries.flatMap((entry) => foundAt(entry, folder, inner === '' ? '' : `${inner}/`))
  return inner === '' ? found.toSorted((a, b) => byCode(a.path, b.path)) : found
}

function foundAt(entry: Dirent, folder: string, before: string): readonly Found[] {
  const path = `${before}${entry.name}`
  return entry.isDirectory() ? filesBelow(folder, path) : [{ path, plain: entry.isFile() }]
}

/** The same order on every machine. */
export function byCode(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
