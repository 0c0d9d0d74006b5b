/** What a site keeps of a run: a few kilobytes, however long the run was. */
import type { NamedClauseSet } from '../../spec/index.ts'
import { narrowedBy, type RunRecord, type Waiver } from '../bundle/record.ts'
import { clauseStatesOf } from './clause-states.ts'

/** A run that was verified, and counts. */
export interface RunEntry {
  /** Folder of the run bundle, below the one that was searched. */
  place: string
  /** SHA-256, hex, of run.json. */
  digest: string
  /** SHA-256, hex, of manifest.json, and of those of the shards that it was merged of. */
  manifests: readonly string[]
  /** The id of the key that its signature was verified with; null if no key was given. */
  signedBy: string | null
  /** What could not be verified, because another version of Touchstone judged the run; null if everything was. */
  inPart: string | null
  id: string
  startedAt: string
  endedAt: string
  lifecycle: RunRecord['run']['lifecycle']
  target: Pick<RunRecord['target'], 'name' | 'kind' | 'baseUrl'>
  version: string
  contract: SiteClauseSet
  tool: string
  conformance: RunRecord['conformance']
  gatePassed: boolean
  /** What it comes to under clause sets that did not decide. */
  otherAnswers: readonly OtherAnswer[]
  /** Why less was planned than the standard profile has; null of a whole run. */
  narrowed: ReturnType<typeof narrowedBy>
  /** Runs with the same one were asked for the same checks. */
  series: string
  used: RunRecord['used']
  /** A character for each clause: see `clauseStates`. */
  states: string
  waived: readonly WaivedCheck[]
}

export interface SiteClauseSet {
  revision: string
  /** SHA-256, hex. */
  digest: string
  /** The published set that it changes, if it came from a file; null of a published one. */
  base: string | null
}

export interface OtherAnswer {
  contract: SiteClauseSet
  conformance: RunRecord['conformance']
  gatePassed: boolean
}

export interface WaivedCheck {
  check: string
  subject: string
  waiver: Waiver
}

/** A run bundle that counts for nothing. */
export interface UncountedBundle {
  place: string
  why: string
  /** In detail; they may quote what is in the bundle. */
  problems: readonly string[]
}

/** What is known of a bundle beside its record. */
export type Verified = Pick<RunEntry, 'place' | 'digest' | 'manifests' | 'signedBy' | 'inPart'>

export const noVersion = '(no version)'

export function runEntryOf(record: RunRecord, verified: Verified): RunEntry {
  const { run, target, contract, tool, conformance, gate, used, findings } = record
  const { name, kind, baseUrl } = target
  return {
    ...verified,
    id: run.id,
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    lifecycle: run.lifecycle,
    target: { name, kind, baseUrl },
    version: target.version ?? noVersion,
    contract: siteSetOf(contract),
    tool: `${tool.name} ${tool.version}`,
    conformance,
    gatePassed: gate.passed,
    otherAnswers: otherAnswersOf(record),
    narrowed: narrowedBy(record),
    series: JSON.stringify([run.profile, run.only, record.plan.shard?.number]),
    used,
    states: clauseStatesOf(record),
    waived: findings.flatMap(({ check, subject, verdict, waived }) =>
      waived !== undefined && (verdict === 'fail' || verdict === 'warn')
        ? [{ check, subject, waiver: waived }]
        : [],
    ),
  }
}

function siteSetOf({ revision, digest, definition }: NamedClauseSet): SiteClauseSet {
  return { revision, digest, base: definition?.base ?? null }
}

function otherAnswersOf({ otherSets = [], otherAnswers = [] }: RunRecord): readonly OtherAnswer[] {
  return otherAnswers.flatMap(({ revision, conformance, gate }) => {
    const set = otherSets.find((one) => one.revision === revision)
    return set === undefined ? [] : [{ contract: siteSetOf(set), conformance, gatePassed: gate.passed }]
  })
}
