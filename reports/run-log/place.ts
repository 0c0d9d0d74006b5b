/** Where logs of runs are: one file, or a folder with a file for each signer. */
import { lstatSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { BundleError, codeOf } from '../bundle/errors.ts'
import { readPlain } from '../bundle/folder/plain-file.ts'

/** Of what is named. Bytes of one log; each entry has about 1,200. */
const mostBytes = 2 ** 28
const extension = '.ndjson'

/** The file that a signer appends to. A name that ends with a slash is a folder. */
export function runLogFile(path: string, keyid: string): string {
  const isFolder = /[/\\]$/.test(path) || (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false)
  return isFolder ? join(path, `runs-${keyid.slice(0, 16)}${extension}`) : path
}

export interface RunLogFile {
  path: string
  bytes: Buffer
}

/** The logs in a file or a folder, sorted by name. Throws a BundleError if there is none, or one cannot be read. */
export function runLogFiles(path: string): readonly RunLogFile[] {
  try {
    if (!statSync(path).isDirectory()) return [readAt(path)]
    const names = readdirSync(path).filter((name) => name.endsWith(extension))
    if (names.length === 0)
      throw new BundleError(
        `${path}: there is no log of runs (*${extension}) in this folder; name another one.`,
      )
    return names.toSorted().map((name) => readAt(join(path, name)))
  } catch (error) {
    if (error instanceof BundleError) throw error
    throw new BundleError(
      `${path} cannot be read (${codeOf(error)}); name the log that \`touchstone check --log\` writes.`,
    )
  }
}

function readAt(path: string): RunLogFile {
  if (lstatSync(path).size > mostBytes)
    throw new BundleError(`${basename(path)} is larger than ${mostBytes} bytes; it is no log of runs.`)
  return { path, bytes: readPlain(path) }
}
