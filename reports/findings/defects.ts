/** A report that cannot be made, because of a defect of Touchstone, does not prevent the others: it is left out. */
import { BundleError } from '../bundle/errors.ts'

export interface Defect {
  /** What could not be made: the name of a format, or what else is made of a run. */
  what: string
  /** What was thrown, on one line, with the place. */
  why: string
}

/** Makes one thing after another, and keeps what was thrown on the way. */
export interface DefectCollector {
  /** Null where it could not be made. Throws what a person can fix. */
  make: <T>(what: string, doing: () => T) => T | null
  readonly defects: readonly Defect[]
}

export function collectDefects(): DefectCollector {
  const defects: Defect[] = []
  return {
    defects,
    make(what, doing) {
      try {
        return doing()
      } catch (error) {
        if (error instanceof BundleError) throw error
        defects.push({ what, why: thrown(error) })
        return null
      }
    },
  }
}

/** On one line, with the place in a file where it went wrong if there is one; a place inside Node does not help anyone. */
export function thrown(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, 200)
  const place = /(?:file:\/\/|\(|at )\/(?:[^\s()]*\/)?([^\s()/]+:\d+(?::\d+)?)\)?$/m.exec(
    error.stack ?? '',
  )?.[1]
  const words = `${error.name}: ${error.message}`.replaceAll(/\s+/g, ' ').slice(0, 200)
  return place === undefined ? words : `${words}, at ${place}`
}
