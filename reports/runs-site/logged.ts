/** The runs of a target that a log records, beside those that count: how often a version was run, and how many are missing here. */
import { historyOf, type RunHistory, type VersionRuns } from '../run-log/index.ts'
import { noVersion } from './entry.ts'
import type { RunsSite } from './site.ts'
import type { TargetHistory } from './targets.ts'

/** By version, in the order of the log; null without a log that was verified. */
export function loggedVersions(
  { log }: Pick<RunsSite, 'log'>,
  { name, kind, entries }: TargetHistory,
): ReadonlyMap<string, RunHistory> | null {
  if (log === null) return null
  const manifests = new Set(entries.flatMap((entry) => entry.manifests))
  return new Map(log.flatMap((group) => ofTarget(group, name, kind, manifests)))
}

function ofTarget(
  { target, version, runs }: VersionRuns,
  name: string,
  kind: string,
  manifests: ReadonlySet<string>,
): readonly (readonly [version: string, history: RunHistory])[] {
  const own = target === name ? runs.filter((run) => run.target.kind === kind) : []
  return own.length === 0 ? [] : [[version ?? noVersion, historyOf(own, manifests)]]
}

/** Such as `3 runs, 1 missing`: it has no bundle here that counts. */
export function loggedWords(history: RunHistory | undefined): string {
  if (history === undefined) return 'not in the log'
  const { handedOver, discarded } = history
  const all = handedOver.length + discarded.length
  return `${all} ${all === 1 ? 'run' : 'runs'}, ${discarded.length} missing`
}
