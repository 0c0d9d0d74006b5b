/** The folder of a statement: new, empty, or of an earlier statement, and never within a run bundle. */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { writeWhole } from '../../reports/bundle/seal/seal.ts'
import { filesBelow } from '../../reports/bundle/seal/walk.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'

const ours =
  /^(?:statement\.(?:html|pdf|tsr|dsse\.json)|test-result\.dsse\.json|badge(?:s\/[a-z-]+)?\.(?:json|svg))$/

export interface StatementFolder {
  path: string
  write: (contents: ReadonlyMap<string, string | Uint8Array>) => void
  /** Names of the files, sorted. */
  files: () => readonly string[]
}

/** Throws a UsageError for a folder that has other files. Files of an earlier statement are removed. */
export function folderFor(out: string, bundle: string): StatementFolder {
  const path = resolve(out)
  if (`${path}${sep}`.startsWith(`${resolve(bundle)}${sep}`))
    throw new UsageError(`--out ${out}: this is in the run bundle, which is sealed; name another folder.`)
  try {
    mkdirSync(dirname(path), { recursive: true })
    if (!existsSync(path)) mkdirSync(path)
    clear(path, out)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`--out ${out}: cannot be written (${codeOf(error)}); name another folder.`)
  }
  return {
    path,
    write(contents) {
      for (const [file, content] of contents) {
        mkdirSync(dirname(join(path, file)), { recursive: true })
        writeWhole(join(path, file), content)
      }
    },
    files: () => filesBelow(path).map((file) => file.path),
  }
}

function clear(path: string, out: string): void {
  const files = filesBelow(path)
  const other = files.find((file) => !file.plain || !ours.test(file.path))
  if (other !== undefined)
    throw new UsageError(`--out ${out}: it has other files, such as ${other.path}; name a new folder.`)
  for (const file of files) rmSync(join(path, file.path))
}
