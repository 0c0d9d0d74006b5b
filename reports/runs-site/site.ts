/** Everything that the pages of a site are made from, but the records of its runs. */
import type { UncountedBundle, RunEntry } from './entry.ts'
import type { VersionRuns } from '../run-log/index.ts'
import { targetHistories, type TargetHistory } from './targets.ts'

export interface RunsSite {
  targets: readonly TargetHistory[]
  notCounted: readonly UncountedBundle[]
  /** Ids of the keys that signatures were verified with; empty: no signature was. */
  keys: readonly string[]
  /** Whether every verdict was computed again from the journal. */
  rejudged: boolean
  /** Every run that a verified log records; null without one. */
  log: readonly VersionRuns[] | null
  /** ISO 8601, UTC. */
  builtAt: string
  /** Where it will be published; null if that is not known. */
  url: string | null
}

/** `sides`: what is known of the site beside its runs. */
export function siteOf(entries: readonly RunEntry[], sides: Omit<RunsSite, 'targets'>): RunsSite {
  return { targets: targetHistories(entries), ...sides }
}

export const allEntries = ({ targets }: RunsSite): readonly RunEntry[] =>
  targets.flatMap(({ entries }) => entries)
