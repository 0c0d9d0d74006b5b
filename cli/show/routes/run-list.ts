/** The runs that were named, each with its answer, or why it cannot be shown. */
import { BundleError } from '../../../reports/bundle/errors.ts'
import { answerOf } from '../../../reports/run/scope.ts'
import { visibleLine } from '../../../reports/visible.ts'
import type { RunEntry, RunList } from '../../../spec/types/show.ts'
import type { NamedRun } from '../named-runs.ts'
import type { OpenedRuns } from '../opened-runs.ts'
import { shownWords } from './words.ts'

export function runList(runs: OpenedRuns): RunList {
  return {
    live: runs.session !== undefined,
    runs: runs.runs.map((run) => entryOf(runs, run)),
    since: runs.since,
  }
}

function entryOf(runs: OpenedRuns, run: NamedRun): RunEntry {
  const about = { id: run.id, folder: run.path }
  try {
    const { record } = runs.record(run)
    return {
      ...about,
      problem: null,
      target: visibleLine(record.target.name),
      startedAt: record.run.startedAt,
      conformance: shownWords(answerOf(record)),
    }
  } catch (error) {
    if (error instanceof BundleError) return { ...about, problem: visibleLine(error.message) }
    throw error
  }
}
