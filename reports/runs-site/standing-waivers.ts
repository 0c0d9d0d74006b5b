/** How long each waiver of a target has stood. */
import type { ClauseId } from '../../spec/index.ts'
import { stateOf } from './clause-states.ts'
import type { RunEntry, WaivedCheck } from './entry.ts'

export interface StandingWaiver extends WaivedCheck {
  /** The first run since it stands, and the last that used it. */
  since: RunEntry
  last: RunEntry
  /** Runs that used it. */
  runs: number
  /** The run without it that shows that it is not needed, or not given, any more; null while it stands. */
  ended: RunEntry | null
}

/** In the order in which they began. Another owner or another day of a waiver does not begin it anew. */
export function waiversOf(entries: readonly RunEntry[]): readonly StandingWaiver[] {
  const open = new Map<string, StandingWaiver>()
  const all: StandingWaiver[] = []
  for (const entry of entries) {
    const used = new Map(entry.waived.map((one) => [one.check, one]))
    for (const [check, standing] of open)
      if (!used.has(check) && isDecided(entry, standing)) {
        standing.ended = entry
        open.delete(check)
      }
    for (const [check, one] of used) {
      const standing = open.get(check) ?? { ...one, since: entry, last: entry, runs: 0, ended: null }
      if (!open.has(check)) all.push(standing)
      open.set(check, Object.assign(standing, one, { last: entry, runs: standing.runs + 1 }))
    }
  }
  return all
}

/** Whether a run that did not use a waiver decides on it: a whole run, or one that was asked for the same checks. */
function isDecided({ narrowed, series, states }: RunEntry, { subject, last }: StandingWaiver): boolean {
  const judged = ['p', 'f', 'w', 'a'].includes(stateOf(states, subject as ClauseId))
  return judged && (narrowed === null || series === last.series)
}

export function daysBetween(one: string, other: string): number {
  return Math.floor((Date.parse(other) - Date.parse(one)) / 86_400_000)
}
