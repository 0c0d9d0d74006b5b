/** What cannot be made of a run for a reason of ours takes nothing else with it: it is left out, and told. */
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'

export interface Defect {
  /** What could not be made: the name of a format, or what else is made of a run. */
  what: string
  /** What was thrown, on one line, with the place. */
  why: string
}

/** Makes one thing after another, and keeps what was thrown on the way. */
export interface Making {
  /** Null where it could not be made. Throws what a person can fix. */
  make: <T>(what: string, doing: () => T) => T | null
  readonly defects: readonly Defect[]
}

export function createMaking(): Making {
  const defects: Defect[] = []
  return {
    defects,
    make(what, doing) {
      try {
        return doing()
      } catch (error) {
        if (error instanceof UsageError) throw error
        defects.push({ what, why: thrown(error) })
        return null
      }
    },
  }
}

/** Says what is not there. Gives the exit code: `otherwise`, unless something is not there. */
export function toldDefects(defects: readonly Defect[], place: string, io: Io, otherwise: number): number {
  for (const { what, why } of defects)
    io.err(
      `internal error of Touchstone, please report it: ${what} could not be made (${why}); what could is in ${place}.\n`,
    )
  return defects.length === 0 ? otherwise : exitCodes.ourFault
}

/** On one line, with the place in a file where it went wrong if there is one; one inside of Node tells nobody anything. */
export function thrown(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, 200)
  const place = /(?:file:\/\/|\(|at )\/(?:[^\s()]*\/)?([^\s()/]+:\d+(?::\d+)?)\)?$/m.exec(
    error.stack ?? '',
  )?.[1]
  const words = `${error.name}: ${error.message}`.replaceAll(/\s+/g, ' ').slice(0, 200)
  return place === undefined ? words : `${words}, at ${place}`
}
