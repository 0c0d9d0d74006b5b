/** How long each waiver of a target has stood. */
import type { ClauseId } from '../../spec/index.ts'
import { stateOf } from './clause-states.ts'
import type { RunEntry, WaivedCheck } from './entry.ts'
import { byVersion, type TargetHistory } from './targets.ts'

export interface StandingWaiver extends WaivedCheck {
  /** The first run since it stands. */
  since: RunEntry
  /** Those that used it, version by version. */
  runs: readonly RunEntry[]
  /** The run without it that shows that it is not needed, or not given, any more; null while it stands. */
  ended: RunEntry | null
}

/**
 * In the order of the versions in which they began. Another owner or another day of a waiver does not begin it anew.
 */
export function waiversOf(target: TargetHistory): readonly StandingWaiver[] {
  const open = new Map<string, StandingWaiver>()
  const all: StandingWaiver[] = []
  for (const entry of byVersion(target)) {
    const used = new Map(entry.waived.map((one) => [one.check, one]))
    for (const [check, standing] of open)
      if (!used.has(check) && isDecided(entry, standing)) {
        standing.ended = entry
        open.delete(check)
      }
    for (const [check, one] of used) {
      const standing = open.get(check) ?? { ...one, since: entry, runs: [], ended: null }
      if (!open.has(check)) all.push(standing)
      open.set(check, Object.assign(standing, one, { runs: [...standing.runs, entry] }))
    }
  }
  return all
}

/** Whether a run that did not use a waiver decides on it: a whole run, or one that was asked for the same checks. */
function isDecided({ narrowed, series, states }: RunEntry, { subject, runs }: StandingWaiver): boolean {
  const judged = ['p', 'f', 'w', 'a'].includes(stateOf(states, subject as ClauseId))
  return judged && (narrowed === null || series === runs.at(-1)?.series)
}

/** From the earliest of the runs to the latest, whatever their versions are. */
export function daysOf(runs: readonly RunEntry[]): number {
  const ends = runs.map(({ endedAt }) => Date.parse(endedAt))
  return Math.floor((Math.max(...ends) - Math.min(...ends)) / 86_400_000)
}
