/** The runs that logs record, by target and version: how they ended, and which of them were not handed over. */
import { byCode } from '../bundle/seal/walk.ts'
import type { RunEnd, RunStart } from './entry.ts'
import type { RunLog } from './read.ts'

export interface LoggedRun extends Omit<RunStart, 'is'> {
  id: string
  /** SHA-256, hex, of the key that signed its entries. */
  keyid: string
  /** ISO 8601, UTC. */
  startedAt: string
  /** Null of a run that was cut off, or has not ended yet. */
  end: (Omit<RunEnd, 'is'> & { at: string }) | null
}

/** All runs of one version of a target, in the order of their start. */
export interface VersionRuns {
  target: string
  /** Null of runs whose target file declares none. */
  version: string | null
  runs: readonly LoggedRun[]
}

/** `logs`: without problems. Sorted by target, then by version. */
export function runsByVersion(logs: readonly Pick<RunLog, 'entries' | 'keyid'>[]): readonly VersionRuns[] {
  const all = logs.flatMap(runsIn).toSorted((one, other) => byCode(one.startedAt, other.startedAt))
  const groups = Map.groupBy(all, ({ target }) => JSON.stringify([target.name, target.version ?? null]))
  return [...groups]
    .toSorted(([one], [other]) => byCode(one, other))
    .map(([key, runs]) => {
      const [target, version] = JSON.parse(key) as [string, string | null]
      return { target, version, runs }
    })
}

function runsIn({ entries, keyid }: Pick<RunLog, 'entries' | 'keyid'>): readonly LoggedRun[] {
  const ends = new Map(entries.flatMap((entry) => (entry.is === 'end' ? [[entry.run, entry]] : [])))
  return entries.flatMap((entry) => {
    if (entry.is !== 'start') return []
    const { run: id, at: startedAt, target, contract, tool, plan } = entry
    const end = ends.get(id)
    return [
      {
        id,
        keyid: keyid ?? '',
        startedAt,
        target,
        contract,
        tool,
        plan,
        end: end === undefined ? null : { at: end.at, exitCode: end.exitCode, result: end.result },
      },
    ]
  })
}

/** How a run ended, in a few words such as `nonconformant (selection)`. */
export function outcomeWords({ end, plan }: Pick<LoggedRun, 'end' | 'plan'>): string {
  return plan.narrowed === null ? endWords(end) : `${endWords(end)} (${scopeWords[plan.narrowed]})`
}

const scopeWords = { selection: 'selection', shard: 'shard', profile: 'smoke profile' } as const

function endWords(end: LoggedRun['end']): string {
  if (end === null) return 'cut off or still running'
  if (end.result === null) return `no result, exit code ${end.exitCode}`
  const { conformance, lifecycle } = end.result
  return lifecycle === 'finished'
    ? conformance
    : `${conformance}, ${lifecycle === 'interrupted' ? 'interrupted' : 'target lost'}`
}

export interface RunHistory {
  /** Those whose bundle was handed over: one, or as many as the shards that it was merged of. */
  handedOver: readonly LoggedRun[]
  discarded: readonly LoggedRun[]
}

/** `manifests`: SHA-256, hex, of the manifest.json of each bundle that was handed over. */
export function historyOf(runs: readonly LoggedRun[], manifests: ReadonlySet<string>): RunHistory {
  const isHandedOver = ({ end }: LoggedRun): boolean => manifests.has(end?.result?.manifest ?? '')
  return {
    handedOver: runs.filter(isHandedOver),
    discarded: runs.filter((run) => !isHandedOver(run)),
  }
}

/** How often each outcome occurred, the most frequent first. */
export function outcomesIn(
  runs: readonly LoggedRun[],
): readonly (readonly [outcome: string, runs: number])[] {
  const counts = [...Map.groupBy(runs, outcomeWords)].map(([words, { length }]) => [words, length] as const)
  return counts.toSorted(([one, few], [other, many]) => many - few || byCode(one, other))
}
