/** The folder that a command fills: new, empty, or filled by it before, and never within a run bundle. */
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { writeWhole } from '../../reports/bundle/seal/seal.ts'
import { filesBelow } from '../../reports/bundle/seal/walk.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'

export interface OutputFolder {
  path: string
  write: (contents: Iterable<readonly [file: string, content: string | Uint8Array]>) => void
  /** Names of the files, sorted. */
  files: () => readonly string[]
}

/**
 * Throws a UsageError for a folder within `sealed`, and for one that has files that are not `ours`. Those that are, of an
 * earlier time, are removed when the first file is written.
 */
export function folderFor(out: string, sealed: string, ours: RegExp): OutputFolder {
  const path = resolve(out)
  if (`${path}${sep}`.startsWith(`${resolve(sealed)}${sep}`))
    throw new UsageError(`--out ${out}: this is in ${sealed}, which is sealed; name another folder.`)
  let earlier: readonly string[]
  try {
    mkdirSync(path, { recursive: true })
    earlier = oursIn(path, out, ours)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`--out ${out}: cannot be written (${codeOf(error)}); name another folder.`)
  }
  return {
    path,
    write(contents) {
      for (const file of earlier) rmSync(join(path, file), { force: true })
      earlier = []
      for (const [file, content] of contents) {
        mkdirSync(dirname(join(path, file)), { recursive: true })
        writeWhole(join(path, file), content)
      }
    },
    files: () => filesBelow(path).map((file) => file.path),
  }
}

function oursIn(path: string, out: string, ours: RegExp): readonly string[] {
  const files = filesBelow(path)
  const other = files.find((file) => !file.plain || !ours.test(file.path))
  if (other !== undefined)
    throw new UsageError(`--out ${out}: it has other files, such as ${other.path}; name a new folder.`)
  return files.map((file) => file.path)
}
