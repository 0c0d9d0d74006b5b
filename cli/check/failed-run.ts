/** The end of a run that threw. */
import { BundleError } from '../../reports/bundle/errors.ts'
import { clearAfter } from '../../reports/bundle/folder/clear.ts'
import type { Folder } from '../../reports/bundle/folder/folder.ts'
import type { Io } from '../io.ts'

/** Clears the folder, prints where the rest of the run is, and returns the error. */
export function reported(error: unknown, folder: Folder, io: Pick<Io, 'err'>): unknown {
  const rest = clearAfter(error, folder)
  // A BundleError names the folder itself.
  if (rest !== null && !(error instanceof BundleError)) io.err(`The incomplete run is in ${rest}.\n`)
  return error
}
