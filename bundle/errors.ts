/** Errors about the folder of a run, each with what to do about it. */
import { errorMessage } from './text.ts'

/** What the user named cannot be done; the message says what, and what to do instead. */
export class BundleError extends Error {
  override name = 'BundleError'
}

/** The code of a system error, such as ENOENT, or its message. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return errorMessage(error)
}

/** `where`: the file, and the line where there is one. */
export function altered(where: string, why: string): BundleError {
  return new BundleError(
    `${where}: ${oneLine(why)}. It was changed since the run; do not rely on what is in this folder.`,
  )
}

export function unreadable(file: string, error: unknown): BundleError {
  return new BundleError(
    `${file} cannot be read (${oneLine(codeOf(error))}); name the folder that a run wrote to.`,
  )
}

/** For what a newer version writes. */
export function unknown(file: string, what: string): BundleError {
  return new BundleError(
    `${file} speaks of ${oneLine(what)}, which this version of Touchstone does not know; use the version that wrote it.`,
  )
}

/** Words that quote a file may carry whatever stands in it. */
function oneLine(words: string): string {
  return words
    .slice(0, 240)
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .trim()
}
