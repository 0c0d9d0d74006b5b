/** The named runs as they stand on disk now: what was read of one is kept until its files change. */
import type { KeyObject } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { BundleError } from '../../reports/bundle/errors.ts'
import { plainOrRefused } from '../../reports/bundle/folder/plain-file.ts'
import { parseJson } from '../../reports/bundle/json.ts'
import { journalFile, recordFile } from '../../reports/bundle/names.ts'
import type { Finding, RunRecord } from '../../reports/bundle/record.ts'
import { runProblem } from '../../reports/bundle/schema/problem.ts'
import { rowsOf } from '../../reports/verdicts/rows.ts'
import { keepHeapSmallFor } from '../rejudge/small-heap.ts'
import { readBundle } from '../rejudge/read-bundle.ts'
import { indexJournal, type JournalIndex } from './journal-index.ts'
import type { RunSession } from './live/session.ts'
import type { NamedRun, NamedRuns } from './named-runs.ts'

export interface ShownRuns extends NamedRuns {
  /** Of `check --ui`; the folder of each of its runs is named when the run has ended. */
  session?: RunSession
  /** Whose signature is expected; null for anybody's or none. */
  expected: { file: string; key: KeyObject } | null
}

export interface ShownRecord {
  record: RunRecord
  /** Every finding, and an error for each planned check without one. */
  findings: readonly Finding[]
  /** Where an interrupted run ends, in a sentence. */
  ends: string | null
}

export interface OpenedRuns extends ShownRuns {
  /** Throws a BundleError for a record that cannot be read. */
  record(run: NamedRun): ShownRecord
  /** Throws a BundleError for a journal that cannot be read. */
  journal(run: NamedRun): Promise<JournalIndex>
}

export function openedRuns(shown: ShownRuns): OpenedRuns {
  return {
    // A run that is in progress is added when it has ended.
    get runs() {
      return shown.runs
    },
    get since() {
      return shown.since
    },
    expected: shown.expected,
    ...(shown.session && { session: shown.session }),
    record: untilChanged([recordFile, journalFile], recordIn),
    journal: untilChanged([journalFile], ({ path }) => {
      keepHeapSmallFor([path])
      return indexJournal(path)
    }),
  }
}

/** A run may be in progress, and somebody may change it: what was read of it counts only for the files as they were. */
function untilChanged<T>(files: readonly string[], read: (run: NamedRun) => T): (run: NamedRun) => T {
  const known = new Map<string, { stamp: string; value: T }>()
  return (run) => {
    const stamp = files.map((file) => stampOf(join(run.path, file))).join()
    const before = known.get(run.id)
    if (before?.stamp === stamp) return before.value
    const value = read(run)
    known.set(run.id, { stamp, value })
    return value
  }
}

function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true })
  return found ? `${found.size}:${found.mtimeNs}:${found.ino}` : 'none'
}

/**
 * What run.json says, whether or not the journal still fits it: verification reports that, and what was changed has to
 * be looked at most of all. A run without a record was interrupted, and is judged as far as it was recorded.
 */
export function recordIn({ path }: NamedRun): ShownRecord {
  const file = join(path, recordFile)
  const isThere = statSync(file, { throwIfNoEntry: false })?.isFile() ?? false
  if (!isThere) {
    const { run, ends } = readBundle(path)
    return { record: run.record, findings: rowsOf(run), ends }
  }
  const record = recordOf(file)
  return { record, findings: rowsOf({ record, journal: [] }), ends: null }
}

function recordOf(file: string): RunRecord {
  const reading = parseJson(plainOrRefused(file).toString('utf8'))
  const problem = reading.ok ? runProblem(reading.value) : `: ${reading.why}`
  if (reading.ok && problem === null) return reading.value as unknown as RunRecord
  throw new BundleError(`${file}${problem}. It was changed since the run, or another version wrote it.`)
}
