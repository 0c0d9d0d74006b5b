/** What changed from an earlier run to this one. */
import {
  byKind,
  cautions,
  changedAnswerOf,
  comparisonNotes,
  countsOf,
  fieldsOf,
  sideWords,
  stepOf,
} from '../../../reports/diff/words.ts'
import type { Change } from '../../../reports/diff/compare.ts'
import { kindWords } from '../../../reports/diff/kinds.ts'
import { visibleLine } from '../../../reports/visible.ts'
import type { ChangedCheck, RunChanges } from '../../../spec/types/show.ts'
import { comparisonOf } from '../../diff/comparison.ts'
import { counterexamplesIn, type Earlier } from '../../diff/earlier.ts'
import type { NamedRun } from '../named-runs.ts'
import type { OpenedRuns } from '../opened-runs.ts'
import { shownWords } from './words.ts'

export function changesFrom(runs: OpenedRuns, earlier: NamedRun, later: NamedRun): RunChanges {
  const comparison = comparisonOf(sideOf(runs, earlier), sideOf(runs, later))
  const { sign, words, tone } = changedAnswerOf(comparison)
  return {
    words: { sign, word: words, tone, means: countsOf(comparison) },
    before: visibleLine(sideWords(comparison.before)),
    after: visibleLine(sideWords(comparison.after)),
    counts: countsOf(comparison),
    cautions: [...cautions(comparison)],
    settings: comparison.comparable.map(({ what, before, after, same, means = '' }) => ({
      what,
      before: visibleLine(before),
      after: visibleLine(after),
      same,
      means,
    })),
    kinds: byKind(comparison).map(([kind, changes]) => ({
      words: shownWords(kindWords[kind]),
      changes: changes.map(changedCheck),
    })),
  }
}

/** Records are compared, and no exchanges. */
function sideOf(runs: OpenedRuns, run: NamedRun): Earlier {
  const { record, ends } = runs.record(run)
  return { run: { record, journal: [] }, ends, files: new Set(counterexamplesIn(run.path)) }
}

function changedCheck(change: Change): ChangedCheck {
  return {
    check: change.check,
    about: change.about,
    level: change.level,
    step: stepOf(change),
    fields: fieldsOf(change).map(([name, value]) => ({ name, value: visibleLine(value) })),
    notes: [...comparisonNotes(change)],
  }
}
