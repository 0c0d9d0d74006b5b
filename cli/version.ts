/** The version in package.json, which lies one folder up in the sources and two up in the package. */
import { readFileSync } from 'node:fs'

export function version(): string {
  for (const path of ['../package.json', '../../package.json']) {
    const found = versionIn(new URL(path, import.meta.url))
    if (found !== undefined) return found
  }
  return 'unknown'
}

function versionIn(file: URL): string | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const named = typeof read === 'object' && read !== null && 'version' in read ? read.version : undefined
    return typeof named === 'string' ? named : undefined
  } catch {
    return undefined
  }
}
