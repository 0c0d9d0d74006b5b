/**
 * What changed from one run to the next, by check id: never by title or place. Times, ids and durations of a run say
 * nothing and are not looked at. Whether the two can be compared at all comes first.
 */
import { isDeepStrictEqual } from 'node:util'
import { contractIdentifiers, identifiersIn, type Identifiers } from '../../spec/identifiers.ts'
import { counterexampleFolder } from '../../bundle/names.ts'
import type { Finding, Run, RunRecord, Verdict } from '../../bundle/record.ts'
import { sha256 } from '../../bundle/seal/digest.ts'
import { counted } from '../document/blocks.ts'
import { patterns } from '../run/scope.ts'
import { addressOf, kindOf, subjectOf } from '../run/words.ts'
import { rowsOf } from '../verdicts/clauses.ts'
import { isApart } from '../verdicts/verdicts.ts'
import { changeKinds, kindWords, marksBetween, moveOf, type ChangeKind, type Weight } from './kinds.ts'

interface Sameness {
  what: string
  before: string
  after: string
  same: boolean
  /** What it means for reading the rest, where it is not the same. */
  means?: string
}

const digits = 16
const rejudge =
  'judge the earlier run again with the later version (`touchstone verify --rejudge EARLIER --out ANOTHER`) and compare that'

const questions = {
  contract: {
    read: ({ record }) => record.contract.revision,
    means: 'another set of clauses counts: a check may be provisional in one run and count in the other.',
  },
  clauses: {
    read: ({ record }) => short(record.contract.digest),
    means: 'the clauses themselves differ, or their levels: a verdict may differ because of the set.',
  },
  version: {
    read: ({ record }) => `${record.tool.name} ${record.tool.version}`,
    means: `the judges changed: what differs below may come from us; ${rejudge}.`,
  },
  suite: {
    read: ({ record }) => short(record.tool.suite),
    means: `the suite has other checks: what is new or gone below may come from us; ${rejudge}.`,
  },
  'target settings': {
    read: ({ record }) => (record.target.fileDigest === undefined ? 'none' : short(record.target.fileDigest)),
    means: 'something else was declared of the target: what was exercised may differ because of that alone.',
  },
  policy: {
    read: ({ policy }) => policyWords(policy),
    means: 'other failures and gaps are accepted: the gate may differ because of that alone.',
  },
  target: {
    read: ({ record }) => nameAndPlace(record.target),
    means: 'these are different targets, or different addresses of one.',
  },
  'kind of target': {
    read: ({ record }) => kindOf(record.target),
    means: 'a simulator says nothing about a live service, and a staging system little about production.',
  },
  profile: {
    read: ({ record }) => record.run.profile,
    means: 'another part of the suite was chosen: checks of one profile alone are new or gone below.',
  },
  selection: {
    read: ({ record }) => patterns(record.run.only) || 'everything',
    means: 'other checks were asked for by `--only`: what is new or gone below may come from that alone.',
  },
  'opt-ins': {
    read: ({ record }) => record.run.optIn.toSorted().join(', ') || 'none',
    means: 'something else was allowed: checks that need it were exercised in one run alone.',
  },
  'chosen checks': {
    read: ({ record }) => `${record.plan.checks.length} checks, ${short(record.plan.digest)}`,
    means: 'other checks were planned, by profile, by `--only`, by the target file or by the suite.',
  },
} as const satisfies Record<string, { read: (run: PolicedRun) => string; means: string }>

/** `policy`: by which its gate was decided. */
export type PolicedRun = Run & { policy?: object }

function policyWords(policy: object = {}): string {
  const entries = Object.values(policy).flat()
  // Not where they are written: each job has a checkout of its own.
  const text = JSON.stringify(policy, (name, value: unknown) => (name === 'at' ? undefined : value))
  return entries.length === 0
    ? 'none'
    : `${counted(entries.length, 'entry', 'entries')}, ${short(sha256(text))}`
}

/** Why the two cannot be held against each other at all, in words; null where they can. */
function obstacleOf(before: Run, after: Run): string | null {
  const [one, other] = [before.record.target.kind, after.record.target.kind]
  if (wordFor(one) !== wordFor(other))
    return `the earlier run judged a ${wordFor(one)}, the later one a ${wordFor(other)}`
  const planned = new Set(before.record.plan.checks.map(({ check }) => check))
  const shared = after.record.plan.checks.some(({ check }) => planned.has(check))
  if (!shared) return 'the two runs have no check in common'
  return [before, after].some(judgedAnything) ? null : 'neither run judged anything'
}

const unjudged: readonly Verdict[] = ['inconclusive', 'not-exercised', 'error']

/** To find nothing twice is not to find the same. */
const judgedAnything = ({ record }: Run): boolean =>
  record.findings.some(({ verdict }) => !unjudged.includes(verdict))

const wordFor = (kind: string): string =>
  kind === 'client' ? 'client' : kind === 'receiver' ? 'webhook receiver' : 'service'

/** A simulator is started for the run, at a port of its own. */
function nameAndPlace(target: Run['record']['target']): string {
  const address = addressOf(target)
  return target.kind === 'simulator' || address === null ? target.name : `${target.name} at ${address}`
}

const short = (digest: string): string => digest.slice(0, digits)

/** What a run said of a check, without what belongs to that run alone. */
export type Said = Pick<
  Finding,
  'verdict' | 'reason' | 'detail' | 'expected' | 'got' | 'fingerprint' | 'waived' | 'provisional'
>

export interface Change extends Pick<Finding, 'check' | 'subject' | 'area' | 'level' | 'title'> {
  kind: ChangeKind
  /** Clause or question in words, with its place in the contract and the identifiers that both runs have. */
  about: string
  /** Absent where the run had no such check. */
  before?: Said
  after?: Said
  /** What else is to be said of it: waived now, provisional now, another level. */
  marks: readonly string[]
  /** Waived, provisional or judged apart: reported, but does not fail the comparison. */
  spared?: true
  /** Folder below that of the later run with the files that replay the failure. */
  look?: string
}

export interface ComparedRun {
  run: string
  startedAt: string
  target: string
  kind: RunRecord['target']['kind']
  /** What its owner called the version under test. */
  version?: string
  tool: string
  seed: number
  checks: number
  /** Such as `nonconformant, gate passed`. Absent in files of versions that had no such member. */
  result?: string
  /** Why it says less than it planned to, in words; null where it came to its end. */
  ends: string | null
}

export interface Comparison {
  schemaVersion: 1
  before: ComparedRun
  after: ComparedRun
  comparable: readonly Sameness[]
  /** Why nothing below means anything; null where the two can be compared. */
  obstacle: string | null
  /** By kind, in the order of the table of kinds. */
  changes: readonly Change[]
  unchanged: number
  /** `worse`: something is broken that was not, or in another way. `less`: something is not judged any more. */
  outcome: 'worse' | 'less' | 'same'
}

export interface KnownChecks {
  /** Where the journal of a run ends that was cut short, in words. */
  ends?: { before?: string | null; after?: string | null }
  /** All checks of the suite that made the later run. Without them none is taken to have been dropped by it. */
  suite?: ReadonlySet<string>
  /** Paths below the folder of the later run. */
  files?: ReadonlySet<string>
}

export function compare(before: PolicedRun, after: PolicedRun, known: KnownChecks = {}): Comparison {
  const [old, young] = [byCheck(before), byCheck(after)]
  const checks = [...new Set([...young.keys(), ...old.keys()])]
  const drawn = drawnApart(before, after)
  const identifiers = sharedIdentifiers(before, after)
  const changes = checks.flatMap(
    (check) =>
      changeOf(old.get(check), young.get(check), { ...known, drawn, identifiers, later: young }) ?? [],
  )
  const order = ({ kind }: Change): number => changeKinds.indexOf(kind)
  const weighs = (weight: Weight): boolean =>
    changes.some(({ kind, spared }) => !spared && kindWords[kind].weight === weight)
  return {
    schemaVersion: 1,
    before: sideOf(before, known.ends?.before),
    after: sideOf(after, known.ends?.after),
    // In the order of the table above; both values where they differ and where they do not.
    comparable: Object.entries(questions).map(([what, { read, means }]) => {
      const [one, other] = [read(before), read(after)]
      const same = one === other
      return { what, before: one, after: other, same, ...(same ? {} : { means }) }
    }),
    obstacle: obstacleOf(before, after),
    changes: changes.toSorted((one, other) => order(one) - order(other)),
    unchanged: checks.length - changes.length,
    outcome: weighs('worse') ? 'worse' : weighs('less') ? 'less' : 'same',
  }
}

const byCheck = (run: Run): ReadonlyMap<string, Finding> =>
  new Map(rowsOf(run).map((finding) => [finding.check, finding]))

interface Ground extends KnownChecks {
  drawn: ReadonlySet<string>
  identifiers: Identifiers
  later: ReadonlyMap<string, Finding>
}

/** Those of the contract where the two runs have different ones. */
function sharedIdentifiers(before: Run, after: Run): Identifiers {
  const [one, other] = [identifiersIn(before.record.target), identifiersIn(after.record.target)]
  return isDeepStrictEqual(one, other) ? one : contractIdentifiers
}

/** By the policy of the later run: the failure itself, or the one that it follows from. */
const isAccepted = ({ waived, follows = '' }: Finding, later: Ground['later']): boolean =>
  (waived ?? later.get(follows)?.waived) !== undefined

function changeOf(before: Finding | undefined, after: Finding | undefined, known: Ground): Change | null {
  const about = after ?? before
  if (!about) return null
  const dropped = known.suite !== undefined && !known.suite.has(about.check)
  const marks = marksBetween(before, after)
  const kind = moveOf(before, after, dropped) ?? (marks.length > 0 ? 'standing changed' : null)
  if (kind === null) return null
  const isLuck = known.drawn.has(about.scenario) && !steady.includes(kind)
  const { check, subject, area, level, title } = about
  const { text, source } = subjectOf(subject, { target: { identifiers: known.identifiers } })
  const look = `${counterexampleFolder(check)}/repro.sh`
  return {
    kind,
    check,
    subject,
    about: `${text} (${source})`,
    area,
    level,
    title,
    ...(before ? { before: saidBy(before) } : {}),
    ...(after ? { after: saidBy(after) } : {}),
    marks: isLuck ? [...marks, drawnWords] : marks,
    ...(isAccepted(about, known.later) || about.provisional === true || isApart(about)
      ? { spared: true }
      : {}),
    ...(after && known.files?.has(look) ? { look: counterexampleFolder(check) } : {}),
  }
}

/** What does not hang on the steps that a scenario drew. */
const steady: readonly ChangeKind[] = ['still failing', 'standing changed']
const drawnWords = 'its steps are drawn, and the seed is another'

/** Scenarios that drew their steps, where the two runs did so from different seeds. */
function drawnApart({ record: before }: Run, { record: after }: Run): ReadonlySet<string> {
  if (before.run.seed === after.run.seed) return new Set()
  const drawn = [...before.scenarioRuns, ...after.scenarioRuns].filter(({ notes }) => drawnNote in notes)
  return new Set(drawn.map(({ scenario }) => scenario))
}

/** What the engine notes of such a scenario. */
const drawnNote = 'explored: runs'

function saidBy(finding: Finding): Said {
  const { verdict, reason, detail, expected, got, fingerprint, waived, provisional } = finding
  const said = { verdict, reason, detail, expected, got, fingerprint, waived, provisional }
  // A record that says nothing of a member does not have it, and neither has this.
  return Object.fromEntries(
    Object.entries(said).filter(([, value]) => value !== undefined),
  ) as unknown as Said
}

function sideOf({ record }: Run, ends: string | null = null): ComparedRun {
  const { run, target, tool, plan, conformance, gate } = record
  const early = run.lifecycle === 'finished' ? null : `it was ${run.lifecycle}`
  return {
    run: run.id,
    startedAt: run.startedAt,
    target: target.name,
    kind: target.kind,
    ...(target.version === undefined ? {} : { version: target.version }),
    tool: `${tool.name} ${tool.version}`,
    seed: run.seed,
    checks: plan.checks.length,
    result: `${conformance}, gate ${gate.passed ? 'passed' : 'failed'}`,
    ends: ends ?? early,
  }
}
