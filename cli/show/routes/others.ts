/** The verdicts of a check in the other runs of a session: the new beside the old. */
import { verdictWords } from '../../../reports/verdicts/verdicts.ts'
import type { OtherVerdict } from '../../../spec/types/show.ts'
import type { NamedRun } from '../named-runs.ts'
import type { OpenedRuns } from '../opened-runs.ts'
import { shownWords } from './words.ts'

export type OthersOf = (check: string) => readonly OtherVerdict[]

/** Recorded runs have none: they need not be of one target. */
export function othersIn(runs: OpenedRuns, run: NamedRun): OthersOf {
  const session = runs.session ? runs.runs.filter(({ id }) => id !== runs.since) : []
  const at = session.indexOf(run)
  const found = session.flatMap((other, number) =>
    number === at
      ? []
      : runs.record(other).findings.map(({ check, verdict }) => ({
          check,
          other: { run: other.id, later: number > at, verdict, words: shownWords(verdictWords[verdict]) },
        })),
  )
  const byCheck = Map.groupBy(found, ({ check }) => check)
  return (check) => (byCheck.get(check) ?? []).map(({ other }) => other)
}
