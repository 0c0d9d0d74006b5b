/** The page of each run, with what changed since the run before it that was asked for the same checks. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BundleError } from '../../reports/bundle/errors.ts'
import { parseJson } from '../../reports/bundle/json.ts'
import { recordFile } from '../../reports/bundle/names.ts'
import type { RunRecord } from '../../reports/bundle/record.ts'
import { sha256 } from '../../reports/bundle/seal/digest.ts'
import { compare, countsOf } from '../../reports/diff/index.ts'
import {
  runPage,
  type ChangesSince,
  type RunEntry,
  type RunsSite,
  type SiteFile,
} from '../../reports/runs-site/index.ts'

/**
 * Reads the record of each run once more, so that of all runs only one record for each kind of run is in memory. Puts
 * what changed into `changes`, in words, by digest. Throws a BundleError for a record that was altered since it was verified.
 */
export function* runPagesOf(
  site: RunsSite,
  folder: string,
  changes: Map<string, string>,
): Generator<SiteFile> {
  for (const target of site.targets) {
    const before = new Map<string, { entry: RunEntry; record: RunRecord }>()
    for (const entry of target.entries) {
      const record = recordAt(join(folder, entry.place, recordFile), entry)
      const earlier = before.get(entry.series)
      const since = earlier === undefined ? null : changesBetween(earlier, record)
      if (since !== null) changes.set(entry.digest, countsOf(since.comparison))
      before.set(entry.series, { entry, record })
      yield runPage(site, target, entry, since)
    }
  }
}

function recordAt(file: string, { digest }: RunEntry): RunRecord {
  const bytes = readFileSync(file)
  const reading = parseJson(bytes.toString('utf8'))
  if (sha256(bytes) !== digest || !reading.ok)
    throw new BundleError(`${file} was altered while the site was built; build it again.`)
  return reading.value as unknown as RunRecord
}

function changesBetween(
  { entry, record }: { entry: RunEntry; record: RunRecord },
  later: RunRecord,
): ChangesSince {
  const { checks, leftOut } = later.plan
  const suite = new Set([...checks.map(({ check }) => check), ...leftOut.flatMap((one) => one.checks)])
  return { entry, comparison: compare({ record, journal: [] }, { record: later, journal: [] }, { suite }) }
}
