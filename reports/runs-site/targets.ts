/** The runs of a site by target, and of a target by version. */
import { createHash } from 'node:crypto'
import { byCode } from '../bundle/seal/walk.ts'
import type { RunEntry } from './entry.ts'

export interface TargetHistory {
  name: string
  kind: RunEntry['target']['kind']
  /** Of its page, without folder and ending; made of letters, digits and dashes. */
  file: string
  /** The oldest first. */
  entries: readonly RunEntry[]
}

export interface VersionResult {
  version: string
  entries: readonly RunEntry[]
  /** The run that decides, by clause set. */
  bySet: ReadonlyMap<string, RunEntry>
  /** The newest of those. */
  newest: RunEntry
}

/** By name, then by kind. */
export function targetHistories(entries: readonly RunEntry[]): readonly TargetHistory[] {
  const groups = Map.groupBy(entries, ({ target }) => JSON.stringify([target.name, target.kind]))
  return [...groups]
    .toSorted(([one], [other]) => byCode(one, other))
    .map(([key, own]) => {
      const inOrder = own.toSorted(byEnd)
      const { name, kind } = inOrder[0]?.target ?? { name: key, kind: 'staging' as const }
      return { name, kind, file: fileNameOf(name, key), entries: inOrder }
    })
}

/** Runs that ended at the same time stay in the same order, wherever they lie. */
export function byEnd(one: RunEntry, other: RunEntry): number {
  return Date.parse(one.endedAt) - Date.parse(other.endedAt) || byCode(one.digest, other.digest)
}

const mostOfName = 40

/** Nothing of a name that could lead elsewhere, and a digest, so that two targets never share a file. */
export function fileNameOf(name: string, key: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')
  const digest = createHash('sha256').update(key).digest('hex').slice(0, 8)
  return `${plain.slice(0, mostOfName).replaceAll(/^-|-$/g, '') || 'target'}-${digest}`
}

/** Versions in the order of their first run. */
export function versionsOf({ entries }: TargetHistory): readonly VersionResult[] {
  return [...Map.groupBy(entries, ({ version }) => version)].map(([version, own]) => {
    const sets = [...Map.groupBy(own, clauseSetLabel)]
    const bySet = new Map(sets.flatMap(([set, of]) => decisive(of).map((entry) => [set, entry] as const)))
    const [newest] = [...bySet.values()].toSorted((one, other) => byEnd(other, one))
    return { version, entries: own, bySet, newest: newest ?? (own[0] as RunEntry) }
  })
}

/** As `gate` decides: the newest whole run, or a newer failure wherever it was seen. Without either the newest. */
function decisive(entries: readonly RunEntry[]): readonly RunEntry[] {
  const counting = entries.filter(
    ({ narrowed, conformance }) => narrowed === null || conformance === 'nonconformant',
  )
  return (counting.length > 0 ? counting : entries).slice(-1)
}

/** Name and digest as the run records them: two sets of one name are two sets. */
export function clauseSetLabel({ contract }: Pick<RunEntry, 'contract'>): string {
  return `${contract.revision} (${contract.digest.slice(0, 8)})`
}

export function runFileOf({ digest }: Pick<RunEntry, 'digest'>): string {
  return `run-${digest.slice(0, 16)}`
}
