/** Merges the shards of a run: one bundle, one report, one verdict. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { reportFiles } from '../../reports/index.ts'
import { openFolder } from '../../reports/bundle/folder/folder.ts'
import { mustBeLeft } from '../../reports/bundle/folder/ledger.ts'
import { counterexamplesFolder } from '../../reports/bundle/names.ts'
import type { Run } from '../../reports/bundle/record.ts'
import { redactorOf } from '../../reports/bundle/redaction/run-redactor.ts'
import { filesBelow } from '../../reports/bundle/seal/walk.ts'
import { writeMerged } from '../../reports/bundle/shards/write.ts'
import { writing } from '../../reports/bundle/write-run.ts'
import { writeReports, type FileContents, type WrittenReports } from '../../reports/write-reports.ts'
import { mustBeKnown } from '../../suites/runner/plan/plan.ts'
import { scenariosFor } from '../../suites/scenarios.ts'
import { reported } from '../check/failed-run.ts'
import { originFor } from '../check/origin.ts'
import { printRun, type PrintOptions } from '../check/printed-run.ts'
import { policyNamed } from '../check/target.ts'
import { changesSince } from '../diff/comparison.ts'
import { openSince } from '../diff/since.ts'
import type { Io } from '../io.ts'
import type { JudgeBasis } from '../rejudge/read-bundle.ts'
import { signerFrom, type Signer } from '../seal/signer.ts'
import { UsageError } from '../usage-error.ts'
import { mergedRun } from './merged-run.ts'
import { readShards, type ReadShard } from './shards.ts'

export interface MergeOptions extends PrintOptions {
  out: string
  policy?: string
  allowMissing?: true
  since?: string
  signKey?: string
  origin: boolean
}

/** Returns the exit code of the merged run. Throws UsageError, BundleError and ConfigurationError. */
export async function merge(paths: readonly string[], options: MergeOptions, io: Io): Promise<number> {
  const signer = signerFrom(options.signKey, io.env)
  const since = openSince(options.since, 'service')
  const { out, allowMissing = false } = options
  for (const path of paths) mustBeElsewhere(out, path)
  const policy = options.policy === undefined ? undefined : await policyNamed(options.policy)
  const shards = readShards(paths, { otherPolicy: policy !== undefined, allowMissing })
  const [first, ...others] = shards
  if (first === undefined) throw new UsageError('name the folder of each shard.')
  const { record } = first.run
  if (policy) mustBeKnown(policy, scenariosFor(record), record.run.profile)
  const basis = { ...first.basis, ...(policy && { policy }) }
  const run = mergedRun([first, ...others], basis, originFor(options, io.env))
  const written = write(run, basis, shards, { out, signer, changes: changesSince(since), io })
  return printRun(written, out, options, io)
}

function mustBeElsewhere(out: string, path: string): void {
  if (existsSync(out) && existsSync(path) && realpathSync(out) === realpathSync(path))
    throw new UsageError(`--out ${out}: that is the folder of a shard; name another one.`)
}

interface Place {
  out: string
  signer: Signer | null
  changes: ReturnType<typeof changesSince>
  io: Io
}

function write(
  run: Run,
  basis: JudgeBasis,
  shards: readonly ReadShard[],
  { out, signer, changes, io }: Place,
): WrittenReports {
  const folder = openFolder(out, reportFiles, () => mustBeLeft(out, run.record.target.kind))
  try {
    const sources = shards.map(({ path, shard: { number } }) => ({ path, number }))
    const journal = writing(folder, () => writeMerged(run, basis, sources, folder))
    const sealed = { ...run, record: { ...run.record, journal } }
    // All of it was redacted when the shards were written.
    const redactor = redactorOf([])
    const counterexamples = (): FileContents =>
      new Map(sources.flatMap(({ path }) => counterexamplesIn(path)))
    const written = writeReports(sealed, { folder, redactor, signer, changes, counterexamples })
    folder.publish()
    return written
  } catch (error) {
    throw reported(error, folder, io)
  } finally {
    folder.release()
  }
}

/** A check is in one shard only, and its counterexample in a folder with its name. */
function counterexamplesIn(path: string): readonly (readonly [string, Uint8Array])[] {
  if (!existsSync(join(path, counterexamplesFolder))) return []
  return filesBelow(path, counterexamplesFolder).map((file) => [
    file.path,
    readFileSync(join(path, file.path)),
  ])
}
