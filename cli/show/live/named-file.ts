/** A text file that was named at the start: read, and replaced whole, and no other in its place. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, lstatSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readPlain } from '../../../reports/bundle/folder/plain-file.ts'
import { readProblem } from '../../../suites/config/file/unreadable.ts'
import { codeOf } from '../../values.ts'
import { RefusedRequest } from '../routes/refused-request.ts'

export interface NamedFile {
  /** As it was named. */
  path: string
  /** Where it is: a link that is changed later leads nowhere else. */
  real: string
}

interface FileText {
  text: string
  /** SHA-256, hex. */
  digest: string
}

export const namedFile = (path: string): NamedFile => ({
  path,
  real: existsSync(path) ? realpathSync(path) : path,
})

/** Throws a RefusedRequest for what cannot be read, or is no text. */
export function readText({ path, real }: NamedFile): FileText {
  try {
    if (!lstatSync(real).isFile()) throw Object.assign(new Error(), { code: 'no plain file' })
    const bytes = readPlain(real)
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { text, digest: createHash('sha256').update(bytes).digest('hex') }
  } catch (error) {
    throw new RefusedRequest(422, `${path}: ${readProblem(path, error)}`)
  }
}

/** `digest`: of the text that is replaced. Throws a RefusedRequest with 409 where that is another one by now. */
export function replaceText(file: NamedFile, text: string, digest: string): FileText {
  const before = readText(file)
  if (before.digest !== digest)
    throw new RefusedRequest(
      409,
      `${file.path} was changed on disk since it was read, so nothing is written: load it again.`,
    )
  // A text field of a page has no other line ends.
  const windows = before.text.includes('\r\n') && !text.includes('\r\n')
  writeWhole(file, windows ? text.replaceAll('\n', '\r\n') : text)
  return readText(file)
}

/** A reader sees the old file or the new one. */
function writeWhole({ path, real }: NamedFile, text: string): void {
  const part = join(dirname(real), `.${basename(real)}.${randomBytes(6).toString('hex')}`)
  try {
    writeFileSync(part, text, { flag: 'wx', mode: lstatSync(real).mode, flush: true })
    renameSync(part, real)
  } catch (error) {
    rmSync(part, { force: true })
    throw new RefusedRequest(422, `${path} cannot be written (${codeOf(error)}); the file is as it was.`)
  }
}
