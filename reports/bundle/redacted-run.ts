/** Runs that contain no secret, and storing them. */
import { existsSync, readdirSync } from 'node:fs'
import { BundleError } from './errors.ts'
import { openFolder } from './folder/folder.ts'
import { createJournalWriter, writeJournalOf } from './journal/writer.ts'
import type { Basis } from './judging.ts'
import { recordFile } from './names.ts'
import type { Run } from './record.ts'
import type { RunRedactor } from './redaction/run-redactor.ts'
import { sealFolder } from './seal/seal.ts'

declare const redactedRun: unique symbol

/** Tokens replace all secrets. Only `redactRun` makes one. */
export interface RedactedRun extends Run {
  readonly [redactedRun]: true
}

interface Origin {
  basis: Basis
  redactor: RunRedactor
}

/** What `saveRun` needs besides the run: it looks for the secrets once more, and they are in no run. */
const origins = new WeakMap<Run, Origin>()

/** `redactor` must know the secrets of the target. */
export function redactRun({ record, journal }: Run, basis: Basis, redactor: RunRedactor): RedactedRun {
  // Responses disclose secrets, which findings may quote.
  const exchanges = journal.map((one) => redactor.exchange(one))
  const run = { record: redactor.value(record), journal: exchanges } as unknown as RedactedRun
  origins.set(run, { basis, redactor })
  return run
}

/**
 * Writes plan, journal, record and manifest to an empty or new folder; `touchstone report` makes reports of them. Throws
 * a BundleError if it cannot be written to, and SecretLeft if a file would contain a secret.
 */
export function saveRun(run: RedactedRun, path: string): void {
  const origin = origins.get(run)
  if (origin === undefined)
    throw new BundleError('only a run as runSuite returned it can be saved; a copy may contain secrets.')
  const folder = openFolder(path, [], () => mustBeEmpty(path))
  try {
    const { record } = writeJournalOf(run, createJournalWriter(folder, origin.basis, origin.redactor))
    const text = `${JSON.stringify(record, null, 2)}\n`
    origin.redactor.mustBeClean(new Map([[recordFile, text]]))
    folder.write(recordFile, text)
    sealFolder(folder.path, record, null, [])
    folder.publish()
  } catch (error) {
    folder.discard()
    throw error
  } finally {
    folder.release()
  }
}

function mustBeEmpty(path: string): void {
  const [other] = existsSync(path) ? readdirSync(path) : []
  if (other !== undefined) throw new BundleError(`${path} contains ${other}; name a new or an empty folder.`)
}
