/** Reports what could not be made of a run. */
import type { Defect } from '../reports/write-reports.ts'
import { exitCodes } from './exit-codes.ts'
import type { Io } from './io.ts'

/** Prints what is missing, and why. Returns `otherwise` if nothing is missing. */
export function reportDefects(defects: readonly Defect[], place: string, io: Io, otherwise: number): number {
  for (const { what, why } of defects)
    io.err(
      `internal error of Touchstone, please report it: ${what} could not be made (${why}); what could is in ${place}.\n`,
    )
  return defects.length === 0 ? otherwise : exitCodes.ourFault
}
