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
  /** In the order of their first run. */
  versions: readonly VersionResult[]
}

export interface VersionResult {
  version: string
  /** The oldest first. */
  entries: readonly RunEntry[]
  /** The newest whole run in each clause set, and the failures after it. Without either, all of the set. */
  deciding: ReadonlySet<RunEntry>
  /** The last of those, by clause set. */
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
      return { name, kind, file: fileNameOf(name, key), entries: inOrder, versions: versionsOf(inOrder) }
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

function versionsOf(entries: readonly RunEntry[]): readonly VersionResult[] {
  return [...Map.groupBy(entries, ({ version }) => version)].map(([version, own]) => {
    const sets = [...Map.groupBy(own, clauseSetLabel)].map(([set, of]) => [set, decidingOf(of)] as const)
    const bySet = new Map(sets.flatMap(([set, of]) => of.slice(-1).map((entry) => [set, entry] as const)))
    const [newest] = [...bySet.values()].toSorted((one, other) => byEnd(other, one))
    const deciding = new Set(sets.flatMap(([, of]) => of))
    return { version, entries: own, deciding, bySet, newest: newest ?? (own[0] as RunEntry) }
  })
}

/** As `gate` decides: the newest whole run, or a newer failure wherever it was seen. */
function decidingOf(entries: readonly RunEntry[]): readonly RunEntry[] {
  const whole = entries.findLastIndex(({ narrowed }) => narrowed === null)
  const counting = entries.filter(
    ({ conformance }, index) => index === whole || (index > whole && conformance === 'nonconformant'),
  )
  return counting.length > 0 ? counting : entries
}

/** A run of an older version that was made later stands with that version. */
export const byVersion = ({ versions }: TargetHistory): readonly RunEntry[] =>
  versions.flatMap(({ entries }) => entries)

/** Only the runs under that set; the versions keep their order. */
export function underClauseSet(target: TargetHistory, set: string): TargetHistory {
  const isUnder = (entry: RunEntry): boolean => clauseSetLabel(entry) === set
  const versions = target.versions.map((one) => ({ ...one, entries: one.entries.filter(isUnder) }))
  return { ...target, entries: target.entries.filter(isUnder), versions }
}

/** Name and digest as the run records them: two sets of one name are two sets. One from a file says so. */
export function clauseSetLabel({ contract }: Pick<RunEntry, 'contract'>): string {
  const { revision, digest, base } = contract
  return `${revision} (${digest.slice(0, 8)}${base === null ? '' : `, ${fromFile(base)}`})`
}

export const fromFile = (base: string): string => `from a file that changes ${base}`

export function runFileOf({ digest }: Pick<RunEntry, 'digest'>): string {
  return `run-${digest.slice(0, 16)}`
}
