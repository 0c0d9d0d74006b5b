/** Errors about the folder of a run, each with what to do about it. */
import { errorMessage } from './text.ts'

export class BundleError extends Error {
  override name = 'BundleError'
}

/** The code of a system error, such as ENOENT, or its message. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return errorMessage(error)
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRINUSE: 'the port is in use',
  EADDRNOTAVAIL: 'this machine has no such address',
  EBUSY: 'it is in use',
  EEXIST: 'it exists',
  EFBIG: 'it would be too large',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'this process may open no more files',
  ENAMETOOLONG: 'its name is too long',
  ENFILE: 'this machine may open no more files',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'its path leads through a file',
  EPERM: 'not permitted',
  EROFS: 'the disk is read-only',
}

/** Why the system refused something, in words. */
export function systemReason(error: unknown): string {
  const code = codeOf(error)
  return reasons[code] ?? code
}

/** `where`: the file, and the line where there is one. */
export function altered(where: string, why: string): BundleError {
  return new BundleError(
    `${where}: ${oneLine(why)}. It was changed since the run; do not rely on what is in this folder.`,
  )
}

export function unreadable(file: string, error: unknown): BundleError {
  return new BundleError(
    `${file} cannot be read (${oneLine(systemReason(error))}); name the folder that a run wrote to.`,
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
