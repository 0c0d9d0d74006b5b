/** What is said of a bundle that cannot be relied on, in one line. */
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'

/** `where`: the file, and the line where there is one. */
export function altered(where: string, why: string): UsageError {
  return new UsageError(
    `${where}: ${oneLine(why)}. It was changed since the run; do not rely on what is in this folder.`,
  )
}

export function unreadable(file: string, error: unknown): UsageError {
  return new UsageError(
    `${file} cannot be read (${oneLine(codeOf(error))}); name the folder that a run wrote to.`,
  )
}

/** For what a newer version writes. */
export function unknown(file: string, what: string): UsageError {
  return new UsageError(
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
