/** Writes a run to its folder while it goes on. A folder that cannot be written to any more ends the run. */
import { quoteText } from './curl.ts'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Run, RunRecord, Basis } from './record.ts'
import { BundleError, systemReason } from './errors.ts'
import type { Redactor } from './redaction/redaction.ts'
import { mustHaveNoSecret, writtenBelow } from './redaction/leaks.ts'
import { openFolder, type Folder } from './folder/folder.ts'
import { createJournalWriter, writeJournalOf, type RunEvent } from './journal/writer.ts'
import { openLedger, type Ledger } from './folder/ledger.ts'
import { recordFile } from './names.ts'
import { sealFolder } from './seal/manifest.ts'
import { pretty } from './text.ts'

export interface RunWriter {
  /** Records an event. Throws a BundleError only where the plan cannot be written. */
  on(event: RunEvent): void
  ledger: Ledger
  /** Aborts when `stopped` does, and when nothing can be written any more. */
  signal: AbortSignal
  /** Ends the journal and returns the run as it was written. Throws a BundleError where something is missing. */
  finish(run: Run): Run
}

export function writeRun(
  folder: Folder,
  basis: Basis & { kind?: RunRecord['target']['kind'] },
  stopped: AbortSignal,
): RunWriter {
  const journal = createJournalWriter(folder, basis)
  // A simulator ends with this process, and has made hundreds of webhooks by then.
  const ledger = openLedger(folder, basis.kind !== 'simulator')
  const broken = new AbortController()
  let failure: unknown = null
  /** A scenario may not be blamed for what the disk does. */
  const tried = (doing: () => void): void => {
    if (failure !== null) return
    try {
      doing()
    } catch (error) {
      failure = error
      broken.abort()
    }
  }
  const mustBeWhole = (part: Part): void => {
    if (failure !== null) throw writeError(failure, folder, part)
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

/** What `saveRun` needs besides the run: it looks for the secrets once more, and they are in no run. */
const origins = new WeakMap<Run, { basis: Basis; redactor: Redactor }>()

/** The same run, which can be saved. It must be redacted. */
export function savable(run: Run, basis: Basis, redactor: Redactor): Run {
  origins.set(run, { basis, redactor })
  return run
}

/**
 * Writes plan, journal, record and manifest to an empty or new folder; `touchstone report` makes reports of them. Throws
 * a BundleError if it cannot be written to, and SecretLeft if a file would contain a secret.
 */
export function saveRun(run: Run, path: string): void {
  const origin = origins.get(run)
  if (origin === undefined)
    throw new BundleError('only a run as runSuite returned it can be saved; a copy may contain secrets.')
  const folder = openFolder(path, [], () => {
    const [other] = existsSync(path) ? readdirSync(path) : []
    if (other !== undefined)
      throw new BundleError(`${path} contains ${other}; name a new or an empty folder.`)
  })
  try {
    const { record } = writeJournalOf(run, createJournalWriter(folder, origin.basis))
    folder.write(recordFile, pretty(record))
    mustHaveNoSecret(writtenBelow(folder.path), origin.redactor.secrets())
    sealFolder(folder.path, record, null, [])
    folder.publish()
  } catch (error) {
    folder.discard()
    throw error
  } finally {
    folder.release()
  }
}

/** Runs `doing`, in which reports are written. Throws a BundleError where the folder does not take them. */
export function writing<T>(folder: Pick<Folder, 'path'>, doing: () => T): T {
  try {
    return doing()
  } catch (error) {
    throw writeError(error, folder, existsSync(join(folder.path, recordFile)) ? 'reports' : 'run')
  }
}

type Part = 'plan' | 'run' | 'reports'

/** The state of the run, and what to do. */
const words: Readonly<Record<Part, (path: string) => string>> = {
  plan: () => 'the plan could not be written, so nothing was sent. Fix that or name another folder',
  run: () =>
    'it could not be written to any more, which ended the run; it is stored as an interrupted run. Fix that or name another folder, and run it again',
  reports: (path) =>
    `not every report could be written; the record of the run is whole. Fix that, and let \`touchstone report ${quoteText(path)}\` make them`,
}

function writeError(error: unknown, { path }: Pick<Folder, 'path'>, part: Part): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error
  return new BundleError(`${path} (${systemReason(error)}): ${words[part](path)}.`)
}
