/**
 * What changed from one run to the next, by check id: never by title or place. Times, ids and durations of a run say
 * nothing and are not looked at. Whether the two can be compared at all comes first.
 */
import { isDeepStrictEqual } from 'node:util'
import { contractIdentifiers, identifiersIn, type Identifiers } from '../../spec/identifiers.ts'
import { counterexampleFolder } from '../bundle/curl.ts'
import type { Finding, Run, RunRecord } from '../bundle/record.ts'
import { isApart } from '../verdicts/standing.ts'
import { rowsOf } from '../verdicts/rows.ts'
import { subjectOf } from '../run/subject.ts'
import { obstacleOf, samenesses, type Sameness } from './comparability.ts'
import { changeKinds, kindWords, type ChangeKind, type Weight } from './kinds.ts'
import { marksBetween, moveOf } from './moves.ts'

/** What a run said of a check, without what belongs to that run alone. */
export type Said = Pick<
  Finding,
  'verdict' | 'reason' | 'detail' | 'expected' | 'got' | 'fingerprint' | 'waived' | 'provisional'
>

export interface Change extends Pick<Finding, 'check' | 'subject' | 'area' | 'level' | 'title'> {
  kind: ChangeKind
  /**
   * Clause or question in words, and where the contract has it; with the identifiers of the service where both runs
   * have the same.
   */
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
  /** Checks that both runs have and that say the same. */
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

export function compare(before: Run, after: Run, known: KnownChecks = {}): Comparison {
  const [old, young] = [byCheck(before), byCheck(after)]
  const checks = [...new Set([...young.keys(), ...old.keys()])]
  const drawn = drawnApart(before, after)
  const identifiers = sharedIdentifiers(before, after)
  const changes = checks.flatMap(
    (check) => changeOf(old.get(check), young.get(check), { ...known, drawn, identifiers }) ?? [],
  )
  const order = ({ kind }: Change): number => changeKinds.indexOf(kind)
  return {
    schemaVersion: 1,
    before: sideOf(before, known.ends?.before),
    after: sideOf(after, known.ends?.after),
    comparable: samenesses(before, after),
    obstacle: obstacleOf(before, after),
    changes: changes.toSorted((one, other) => order(one) - order(other)),
    unchanged: checks.length - changes.length,
    outcome: outcomeOf(changes),
  }
}

function byCheck(run: Run): ReadonlyMap<string, Finding> {
  return new Map(rowsOf(run).map((finding) => [finding.check, finding]))
}

interface Ground extends KnownChecks {
  drawn: ReadonlySet<string>
  identifiers: Identifiers
}

/** Those of the contract where the two runs have different ones. */
function sharedIdentifiers(before: Run, after: Run): Identifiers {
  const [one, other] = [identifiersIn(before.record.target), identifiersIn(after.record.target)]
  return isDeepStrictEqual(one, other) ? one : contractIdentifiers
}

function changeOf(before: Finding | undefined, after: Finding | undefined, known: Ground): Change | null {
  const about = after ?? before
  if (!about) return null
  const dropped = known.suite !== undefined && !known.suite.has(about.check)
  const marks = marksBetween(before, after)
  const kind = moveOf(before, after, dropped) ?? (marks.length > 0 ? 'standing changed' : null)
  if (kind === null) return null
  const isLuck = known.drawn.has(about.scenario) && !steady.includes(kind)
  const { check, subject, area, level, title } = about
  const look = `${counterexampleFolder(check)}/replay.json`
  return {
    kind,
    check,
    subject,
    about: aboutOf(subject, known.identifiers),
    area,
    level,
    title,
    ...(before ? { before: saidBy(before) } : {}),
    ...(after ? { after: saidBy(after) } : {}),
    marks: isLuck ? [...marks, drawnWords] : marks,
    ...(isSpared(about) ? { spared: true } : {}),
    ...(after && known.files?.has(look) ? { look: counterexampleFolder(check) } : {}),
  }
}

function aboutOf(subject: string, identifiers: Identifiers): string {
  const { text, source } = subjectOf(subject, { target: { identifiers } })
  return `${text} (${source})`
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

function isSpared(finding: Finding): boolean {
  return finding.waived !== undefined || finding.provisional === true || isApart(finding)
}

function saidBy(finding: Finding): Said {
  const { verdict, reason, detail, expected, got, fingerprint, waived, provisional } = finding
  const said = { verdict, reason, detail, expected, got, fingerprint, waived, provisional }
  // A record that says nothing of a member does not have it, and neither has this.
  return Object.fromEntries(
    Object.entries(said).filter(([, value]) => value !== undefined),
  ) as unknown as Said
}

function sideOf({ record }: Run, ends: string | null = null): ComparedRun {
  const { run, target, tool, plan } = record
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
    ends: ends ?? early,
  }
}

function outcomeOf(changes: readonly Change[]): Comparison['outcome'] {
  const weighs = (weight: Weight): boolean =>
    changes.some(({ kind, spared }) => !spared && kindWords[kind].weight === weight)
  return weighs('worse') ? 'worse' : weighs('less') ? 'less' : 'same'
}
