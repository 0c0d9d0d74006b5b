/**
 * Keeps a run in its folder while it goes on. A folder that cannot be written to any more ends the run: what it would
 * still cost could not be shown to anybody.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RunEvent } from '../../suites/runner/outcome/run-event.ts'
import type { Run } from '../../reports/bundle/record.ts'
import type { Target } from '../../suites/config/target.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'
import type { Basis } from './basis.ts'
import type { Cleaning } from './cleaning.ts'
import type { Folder } from './folder.ts'
import { createJournal } from './journal-writer.ts'
import { openLedger, type Ledger } from './ledger.ts'
import { recordFile } from './names.ts'

export interface Keeping {
  /** Takes what a run tells of itself. Throws a UsageError only where the plan cannot be written. */
  on(event: RunEvent): void
  ledger: Ledger
  /** Aborts when `stopped` does, and when nothing can be written any more. */
  signal: AbortSignal
  /** Ends the journal, and gives the run as it was written. Throws a UsageError where not all of it was. */
  finish(run: Run): Run
}

export function keepRun(
  folder: Folder,
  basis: Basis & { kind?: Target['kind'] },
  cleaning: Cleaning,
  stopped: AbortSignal,
): Keeping {
  const journal = createJournal(folder, basis, cleaning)
  // A simulator ends with this process, and has made hundreds of webhooks by then.
  const ledger = openLedger(folder, basis.kind !== 'simulator')
  const broken = new AbortController()
  let trouble: unknown = null
  /** A scenario may not be blamed for what the disk does. */
  const tried = (doing: () => void): void => {
    if (trouble !== null) return
    try {
      doing()
    } catch (error) {
      trouble = error
      broken.abort()
    }
  }
  const mustBeWhole = (stage: Stage): void => {
    if (trouble !== null) throw toldOf(trouble, folder, stage)
  }
  return {
    on(event) {
      tried(() => journal.on(event))
      if (event.is === 'planned') mustBeWhole('plan')
    },
    ledger: {
      onCreate: (entry) => tried(() => ledger.onCreate(entry)),
      onGone: (id) => tried(() => ledger.onGone(id)),
    },
    signal: AbortSignal.any([stopped, broken.signal]),
    finish(run) {
      let kept = run
      tried(() => void (kept = journal.end(run)))
      mustBeWhole('run')
      return kept
    },
  }
}

/** Runs `doing`, in which reports are written. Throws a UsageError where the folder does not take them. */
export function writing<T>(folder: Pick<Folder, 'path'>, doing: () => T): T {
  try {
    return doing()
  } catch (error) {
    throw toldOf(error, folder, existsSync(join(folder.path, recordFile)) ? 'reports' : 'run')
  }
}

type Stage = 'plan' | 'run' | 'reports'

/** What has come of the run, and what to do. */
const words: Readonly<Record<Stage, (path: string) => string>> = {
  plan: () => 'the plan could not be written, so nothing was sent. Fix that or name another folder',
  run: () =>
    'it could not be written to any more, which ended the run; what stands there reads as a run that was cut off. Fix that or name another folder, and run it again',
  reports: (path) =>
    `not every report could be written; the record of the run is whole. Fix that, and let \`touchstone report ${path}\` make them`,
}

function toldOf(error: unknown, { path }: Pick<Folder, 'path'>, stage: Stage): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error
  return new UsageError(`--out ${path} (${codeOf(error)}): ${words[stage](path)}.`)
}
