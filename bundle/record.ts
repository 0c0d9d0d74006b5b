/**
 * The record of a run: plain data, the document that every report is made from. Types only; `reports/` and
 * `cli/` read it, the engine writes it.
 */
import type { Identifiers } from '../spec/identifiers.ts'
import type { Area, ClauseBasis, ClauseId, GapId, Level, NamedClauseSet, StateId } from '../spec/index.ts'
import type { Action, ClientKind } from './client-report.ts'
import type { Exchange } from './exchange.ts'
import type { NotExercisedReason, Verdict } from './verdict.ts'

export type { Verdict, NotExercisedReason, Exchange }

export const profiles = ['smoke', 'standard', 'exhaustive'] as const
/** The least profile in which a scenario runs. */
export type Profile = (typeof profiles)[number]

export const optIns = ['slow', 'costly', 'destructive', 'writes'] as const
export type OptIn = (typeof optIns)[number]

export interface Budgets {
  requests: number
  turns: number
  /** Credits, as the answers report them. */
  credits: number
  wallSeconds: number
  /** Per API key. */
  requestsPerMinute: number
  /** Bytes received, headers and bodies: of one response, in one scenario, and in all. Absent: the defaults. */
  responseBytes?: number
  scenarioBytes?: number
  runBytes?: number
}

/** What is under test, for those who read the report. */
export interface Implementation {
  organization?: string
  project?: string
  version?: string
  url?: string
  contact?: readonly string[]
}

/** Why a scenario that did not run has no verdict. Plain data, stored in the record. */
export type Ending =
  /** `unmet`: what the target did not do; a failure of it elsewhere in the run is the cause. */
  | { is: 'inconclusive'; because: string; unmet?: { expected: string; got: string } }
  | { is: 'not-exercised'; reason: NotExercisedReason; because: string }
  /** What was under test was said not to have what the scenario is about. */
  | { is: 'not-applicable'; because: string }

/** Plain data, kept in the record: what rests on these exchanges is not judged. */
export interface StateMismatch {
  because: string
  /** Ids of what was sent while the state held. */
  exchanges: readonly number[]
  /** The target itself said that it is in the state: it is judged all the same. */
  believed: boolean
}

export interface Citation {
  exchange: number
  /** Its role in the failure, such as `update that lost it`. */
  as: string
}

export interface Finding {
  /** `<area>/<scenario>/<clause>`: stable, unique in a run. */
  check: string
  subject: ClauseId | GapId
  area: Area
  level: Level | 'silent'
  basis: ClauseBasis | 'silent'
  scenario: string
  title: string
  verdict: Verdict
  reason?: NotExercisedReason
  /** Words for a reason, a note or an observation. */
  detail?: string
  expected?: string
  got?: string
  /**
   * Stable over runs: what was expected and got, or what was observed, without what belongs to one run. Of an inconclusive
   * check, what was expected and got where the target did not get as far as the check.
   */
  fingerprint?: string
  /** The exchanges that explain a failure, where the check names them. */
  cited?: readonly Citation[]
  /** Ids of the exchanges it rests on; the first is the one that shows it. */
  evidence: readonly number[]
  /** States it needed, with the provider of the state providers each came by. */
  states: readonly { state: StateId; by: string }[]
  waived?: Waiver
  /** Of an inconclusive check: the check whose failure is why. */
  follows?: string
  /** Its clause is not in the set that the run was held against: neither answer of the run depends on it. */
  provisional?: true
  /** Of a failure, where its scenario was run again: in how many of the attempts with a result. Fewer than all: flaky. */
  attempts?: { failed: number; of: number }
  /** The check failed, and is a warning because its clause is a SHOULD. */
  softened?: true
}

export interface Waiver {
  as: 'known-failure' | 'flaky'
  owner: string
  reason: string
  issue?: string
  /** ISO date; the last day. */
  expires: string
}

export interface PlannedCheck {
  check: string
  subject: ClauseId | GapId
  scenario: string
}

/**
 * Checks of the catalogue that a plan does not have. `selection`: not among those asked for. `profile`: of a larger
 * profile. `not-declared`: the target does not declare what it, or whatever it would judge, needs.
 * `shard`: of another shard of the same plan.
 */
export interface LeftOut {
  by: 'selection' | 'profile' | 'not-declared' | 'shard'
  checks: readonly string[]
}

export interface Shard {
  /** From 1. */
  number: number
  of: number
  plan: string
}

export interface MergedShard {
  number: number
  run: string
  /** ISO 8601, UTC. Times of its exchanges count from here. */
  startedAt: string
  /** SHA-256, hex, of its manifest, which has the digests of all its other files. */
  manifest: string
  used: RunRecord['used']
  /** The id of the key that signed it; absent of one without a signature. */
  keyid?: string
}

export interface Merged {
  of: number
  shards: readonly MergedShard[]
}

export interface Plan {
  checks: readonly PlannedCheck[]
  /** With `checks`, every check that the suite has: `tool.suite` is the digest of both together. */
  leftOut: readonly LeftOut[]
  /** SHA-256, hex, over the sorted check ids. */
  digest: string
  ceiling: { requests: number; turns: number }
  /** Absent of a plan that was not dealt to several jobs. */
  shard?: Shard
}

/** How a scenario went: with the journal, enough to judge it again. */
export interface ScenarioRun {
  scenario: string
  /** Of a further attempt: the least id that an exchange of it can have. What is before belongs to the attempts before. */
  since?: number
  notes: Readonly<Record<string, string | number | boolean>>
  /** Null when it ran to its end. */
  ending: Ending | null
  /** The stack of what it threw; a defect of ours. */
  crash: string | null
  /** With what was sent in it and speaks against it, where something does. */
  states: readonly { state: StateId; by: string; mismatch?: StateMismatch }[]
  /** States that the target may still be in, with what kept us from leaving them. */
  stuck: readonly string[]
}

/** Who started a run, and where. From a CI system's environment, or from the machine; every member is optional. */
export interface RunOrigin {
  /** Such as `GitHub Actions`; absent outside of CI. */
  ci?: string
  job?: string
  /** Of the CI job, without credentials. */
  url?: string
  commit?: string
  branch?: string
  /** The user who started the job, or of the machine. */
  actor?: string
  host?: string
  command?: StartedBy
}

/** The command line that started a run: what of it starts another one that is like it, without secrets. */
export interface StartedBy {
  start: string
  words: readonly string[]
  folder: string
}

export type Conformance = 'conformant' | 'partial' | 'nonconformant'

/** What is known of a run before its first request. */
export interface Opening {
  schemaVersion: 1
  /** `suite`: SHA-256, hex, over the sorted ids of all checks that this version knows for such a target. */
  tool: { name: string; version: string; node: string; suite: string }
  run: {
    id: string
    seed: number
    profile: Profile
    /** The patterns of the checks that were asked for; empty: everything was. */
    only: readonly string[]
    /** What was allowed that a run does only when asked to. */
    optIn: readonly OptIn[]
    /** ISO 8601, UTC. */
    startedAt: string
    /** Absent where it was not to be recorded, or the run was started by a program. */
    origin?: RunOrigin
  }
  target: Implementation & {
    name: string
    /** `receiver`: an endpoint that deliveries are posted to. `client`: a program that calls the service. `traffic`: what others sent. Else a service. */
    kind: 'simulator' | 'staging' | 'production' | 'receiver' | 'client' | 'traffic'
    baseUrl: string
    /** The word that it was said to write where the contract has `service`; absent where it is that. */
    vendor?: string
    /** Its exact identifiers with a vendor in them; absent where they are as the contract writes them. */
    identifiers?: Identifiers
    /** The response header with the id of a request, beside those that usually have it. */
    requestIdHeader?: string
    /** SHA-256, hex, of what the target file says, with references in place of secrets. Absent without a file. */
    fileDigest?: string
    /** Words of the command line that name the target, without secrets: `--base-url URL --api-key env:KEY --agent ID`. */
    arguments?: readonly string[]
    /** Where the API key of each principal comes from, as `env:NAME` or `file:PATH`; also headers, as `header:NAME`. */
    keys?: Readonly<Record<string, string>>
    /** How a simulator was switched away from its plain self, in words of the command line: `--fault done-twice`. */
    modifications?: readonly string[]
    /** Of a client: whose clauses it was held against, and what it was said to be able to do. */
    client?: { as: ClientKind; can: readonly Action[] }
  }
  /** The clauses that count. */
  contract: NamedClauseSet
  /** Caps of the run, and the rate that it kept to. */
  budgets: Budgets
}

export interface Lifecycle {
  /** ISO 8601, UTC. */
  endedAt: string
  /**
   * `interrupted`: ended early by the user or a cap. `target-lost`: ended early, because the target stopped responding. `crashed`: killed, and put together from what was on disk; what
   * had not run by then is not exercised.
   */
  lifecycle: 'finished' | 'interrupted' | 'target-lost' | 'crashed'
}

/** The exchanges of a run as they stand beside its record. */
export interface JournalSeal {
  lines: number
  /** SHA-256, hex, of its last line, to which all before it are chained. */
  head: string
}

export interface Redaction {
  /** How often, by the name of the secret. */
  counts: Readonly<Record<string, number>>
  /** The secrets of webhooks that the run itself made and removed were left in, as was asked for. */
  disclosed: boolean
}

export interface PlanFile extends Opening {
  /** SHA-256, hex, of `judging.json` as the run began; absent of runs that did not state it yet. */
  judging?: string
  plan: Plan
}

export function partsOf({ plan, judging, ...opening }: PlanFile): {
  plan: Plan
  judging: string | undefined
  opening: Opening
} {
  return { plan, judging, opening }
}

export interface RunRecord extends Opening {
  run: Opening['run'] & Lifecycle
  plan: Plan
  findings: readonly Finding[]
  scenarioRuns: readonly ScenarioRun[]
  used: { requests: number; turns: number; credits: number; wallSeconds: number }
  conformance: Conformance
  gate: {
    passed: boolean
    because: readonly string[]
    stalePolicy: readonly string[]
    /** Required checks without a result that an entry of the policy could expect, and none does. Absent if there are none. */
    missing?: readonly string[]
  }
  exitCode: number
  /** Clauses of the judged areas that no scenario covers, with the reason. */
  uncovered: readonly { clause: ClauseId; why: string }[]
  /** Absent of a run in one piece. */
  merged?: Merged
  /** Absent of a run that was never written. */
  journal?: JournalSeal
  redaction?: Redaction
  /** Whose signature stands beside the record: the id of the key, SHA-256, hex, over its public half. */
  signing?: { keyid: string }
}

export interface Run {
  record: RunRecord
  journal: readonly Exchange[]
}

type PlannedRun = Pick<RunRecord, 'plan'> & { run: Pick<RunRecord['run'], 'profile'> }

/** Why less was planned than the standard profile has, by the user's choice; null where it was not. */
export function narrowedBy({ plan, run }: PlannedRun): 'shard' | 'selection' | 'profile' | null {
  if (plan.shard !== undefined) return 'shard'
  if (plan.leftOut.some(({ by }) => by === 'selection')) return 'selection'
  return run.profile === 'smoke' ? 'profile' : null
}

/** A further attempt that the journal has no end of: so it is recorded as it begins, and where the run ended first. */
export function isBegun({ since, ending }: Pick<ScenarioRun, 'since' | 'ending'>): boolean {
  return since !== undefined && ending?.is === 'not-exercised' && ending.reason === 'interrupted'
}

export function isFlaky({ attempts }: Pick<Finding, 'attempts'>): boolean {
  return attempts !== undefined && attempts.failed < attempts.of
}

/** What the verdicts of a run depend on besides its journal: `judging.json`. */
export interface Basis {
  dialect: object
  policy: object
  identifiers?: Identifiers
}

/** Only that, of an object that may have more members. */
export function plainBasis({ dialect, policy, identifiers }: Basis): Basis {
  return { dialect, policy, ...(identifiers === undefined ? {} : { identifiers }) }
}
