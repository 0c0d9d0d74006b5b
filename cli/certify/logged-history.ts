/** The runs of the stated version, from logs of runs. */
import type { KeyObject } from 'node:crypto'
import type { RunRecord } from '../../reports/bundle/record.ts'
import type { StatedHistory } from '../../reports/conformance-statement/index.ts'
import { headsOf, historyOf, openRunLogs, runsByVersion } from '../../reports/run-log/index.ts'
import { UsageError } from '../usage-error.ts'

/**
 * `manifest`: SHA-256, hex, of the bundle's. Returns the problems of a log that is not verified. Throws a UsageError if
 * the run is not in it, and a BundleError if it cannot be read.
 */
export function loggedHistory(
  path: string,
  keys: readonly KeyObject[],
  { target, merged }: RunRecord,
  manifest: string,
): StatedHistory | { problems: readonly string[] } {
  const { logs, problems } = openRunLogs(path, keys)
  if (problems.length > 0) return { problems }
  const versions = runsByVersion(logs)
  const ofVersion = versions.find((one) => one.target === target.name && one.version === target.version)
  const manifests = new Set(merged?.shards.map((shard) => shard.manifest) ?? [manifest])
  const history = historyOf(ofVersion?.runs ?? [], manifests)
  const found = new Set(history.handedOver.map(({ end }) => end?.result?.manifest))
  const missing = [...manifests].filter((one) => !found.has(one)).length
  if (missing === 0) return { ...history, heads: headsOf(logs) }
  const what = merged ? `${missing} of ${manifests.size} shards` : 'this run'
  throw new UsageError(
    `--log ${path}: it does not have ${what} as a run of ${target.name} ${target.version}; give the log that \`touchstone check --log\` wrote, and the bundle as it wrote it.`,
  )
}
