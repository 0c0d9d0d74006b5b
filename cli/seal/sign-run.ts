/** Signs the folder of a run that is there already: its record names the key, so every report is made again. */
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { exporters } from '../../reports/index.ts'
import { lockFolder } from '../../bundle/folder/lock.ts'
import { UsageError } from '../usage-error.ts'
import { besideOf, verifiedRun } from '../verify/reports.ts'
import { openForVerification, type OpenedBundle } from '../../bundle/verify/opened-bundle.ts'
import { inspections } from '../verify/inspections.ts'
import { manifestFile, statementFile } from '../../bundle/seal/names.ts'
import { sealFolder, withSigner, writeWhole } from '../../bundle/seal/seal.ts'
import type { Signer } from './signer.ts'

/** Throws a UsageError, and leaves all as it was, where the folder does not hold or is not whole. */
export function signRun(path: string, signer: Signer): void {
  const bundle = openForVerification(path)
  mustHold(bundle)
  const { run: unsigned, ends } = verifiedRun(bundle)
  const run = { ...unsigned, record: withSigner(unsigned.record, signer) }
  const beside = besideOf(bundle, ends)
  const reports = exporters.map(({ file, render }) => [file, render(run, beside)] as const)
  const closing = [manifestFile, statementFile]
  const release = lockFolder(path)
  try {
    // Cut off from here on, the folder is one that was never closed.
    for (const file of closing) rmSync(join(path, file), { force: true })
    for (const [file, content] of reports) writeWhole(join(path, file), content)
    const files = bundle.found.map((one) => one.path).filter((file) => !closing.includes(file))
    sealFolder(path, run.record, signer, files)
  } finally {
    release()
  }
}

/** The earlier signature may be of anybody: it is the one that goes. */
function mustHold(bundle: OpenedBundle): void {
  const asked = { key: null, rejudge: false }
  const { signature: _, ...rest } = inspections
  const against = Object.entries(rest).find(
    ([, inspect]) => !['holds', 'open'].includes(inspect(bundle, asked)?.outcome ?? 'holds'),
  )
  if (against === undefined) return
  const path = resolve(bundle.path)
  throw new UsageError(
    `${path} does not hold in its ${against[0]}, so it was not signed: \`touchstone verify ${path}\` says why.`,
  )
}
