/** The folder that a run writes to: proven before the first request, and cleared of what an earlier run left. */
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'

export interface Folder {
  readonly path: string
  write(file: string, content: string | Uint8Array): void
  /** Adds to a file, and has it on disk when it returns. */
  append(file: string, line: string): void
}

/** Throws a UsageError when the folder cannot be made or written to. `files`: names that a run may leave there. */
export function openFolder(path: string, files: readonly string[]): Folder {
  const write = (file: string, content: string | Uint8Array): void => writeFileSync(join(path, file), content)
  try {
    makeFolder(resolve(path))
    // An old report beside a run that broke off would be taken for its result.
    for (const file of files) rmSync(join(path, file), { force: true })
    const [probe = 'probe'] = files
    write(probe, '')
    rmSync(join(path, probe))
  } catch (error) {
    throw new UsageError(
      `--out ${path}: reports cannot be written there (${codeOf(error)}); name another folder.`,
    )
  }
  const append = (file: string, line: string): void => appendFileSync(join(path, file), line, { flush: true })
  return { path, write, append }
}

/** Not the recursive mode of mkdir: it never comes to an end in a file system that allows no folders, such as /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path)
}
