/** A clause over the runs of a target. */
import type { ClauseId } from '../../spec/index.ts'
import { stateOf, type ClauseState } from './clause-states.ts'
import type { RunEntry } from './entry.ts'
import type { TargetHistory } from './targets.ts'

/** Runs in a row that say the same of the clause. */
export interface Stretch {
  state: ClauseState
  /** Where it begins, counted in runs of the target. */
  start: number
  runs: number
  from: RunEntry
  to: RunEntry
}

export interface Failing {
  /** The first run since the last pass in which it fails. */
  since: RunEntry
  /** The last run in which it passed; null if it never did. */
  lastGood: RunEntry | null
  waived: boolean
}

export function stretchesOf(entries: readonly RunEntry[], clause: ClauseId): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (const [start, entry] of entries.entries()) {
    const state = stateOf(entry.states, clause)
    const last = stretches.at(-1)
    if (last?.state === state) Object.assign(last, { runs: last.runs + 1, to: entry })
    else stretches.push({ state, start, runs: 1, from: entry, to: entry })
  }
  return stretches
}

const bad: ReadonlySet<ClauseState> = new Set(['f', 'v', 'w'])

/**
 * Since when the clause fails; null if it does not, as far as is known. A run that did not judge it changes nothing:
 * nothing but a pass shows that a failure is gone, in a run that decides on its version.
 */
export function failingOf({ versions }: Pick<TargetHistory, 'versions'>, clause: ClauseId): Failing | null {
  const judged = versions.flatMap(({ entries, deciding }) =>
    entries
      .map((entry) => ({ entry, state: stateOf(entry.states, clause) }))
      .filter(({ entry, state }) => bad.has(state) || (state === 'p' && deciding.has(entry))),
  )
  const good = judged.findLastIndex(({ state }) => state === 'p')
  const [since, newest] = [judged[good + 1], judged.at(-1)]
  if (since === undefined || newest === undefined) return null
  return { since: since.entry, lastGood: judged[good]?.entry ?? null, waived: newest.state === 'v' }
}
