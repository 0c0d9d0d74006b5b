/**
 * The record of a run: plain data, the document that every report is made from. Types only; `reports/` and
 * `cli/` read it, the engine writes it.
 */
import type { Area, Basis, ClauseId, GapId, Level, StateId } from '../spec/index.ts'
import type { Doubt } from './engine/doubt.ts'
import type { Ending } from './engine/ending.ts'
import type { NotExercisedReason, Verdict } from './engine/judgement.ts'
import type { OptIn, Profile } from './engine/scenario.ts'
import type { Implementation } from './target/target.ts'
import type { Exchange } from './wire/exchange.ts'

export type { Verdict, NotExercisedReason, Exchange, Profile, OptIn }

/** One clause judged in one scenario. */
export interface Finding {
  /** `<area>/<scenario>/<clause>`: stable, unique in a run. */
  check: string
  subject: ClauseId | GapId
  area: Area
  level: Level | 'silent'
  basis: Basis | 'silent'
  scenario: string
  title: string
  verdict: Verdict
  reason?: NotExercisedReason
  /** Words for a reason, a note or an observation. */
  detail?: string
  expected?: string
  got?: string
  /** Stable over runs: what was expected and got, with ids and numbers of the run taken out. */
  fingerprint?: string
  /** Ids of the exchanges it rests on; the first is the one that shows it. */
  evidence: readonly number[]
  /** States it needed, with the rung of the ladder each came by. */
  states: readonly { state: StateId; by: string }[]
  waived?: Waiver
  /** Its clause came after the set that the run was held against: neither answer of the run depends on it. */
  provisional?: true
}

/** Who answers for a failure, and until when the gate lets it through. */
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

export interface Plan {
  checks: readonly PlannedCheck[]
  /** SHA-256, hex, over the sorted check ids. */
  digest: string
  ceiling: { requests: number; turns: number }
}

/** How a story went: with the journal, enough to judge it again. */
export interface StoryRecord {
  scenario: string
  notes: Readonly<Record<string, string | number | boolean>>
  /** Null when it was told to its end. */
  ending: Ending | null
  /** The stack of what it threw; a defect of ours. */
  crash: string | null
  /** With what was sent in it and speaks against it, where something does. */
  states: readonly { state: StateId; by: string; doubt?: Doubt }[]
  /** States that the target may still be in, with what kept us from leaving them. */
  stuck: readonly string[]
}

export type Conformance = 'conformant' | 'partial' | 'nonconformant'

export interface RunRecord {
  schemaVersion: 1
  tool: { name: string; version: string; node: string }
  run: {
    id: string
    seed: number
    profile: Profile
    /** ISO 8601, UTC. */
    startedAt: string
    endedAt: string
    /** `interrupted`: ended early by the user or a cap. */
    lifecycle: 'finished' | 'interrupted'
  }
  target: Implementation & {
    name: string
    /** `receiver`: an endpoint that deliveries are posted to; else a service. */
    kind: 'simulator' | 'staging' | 'production' | 'receiver'
    baseUrl: string
  }
  /** The published set of clauses that count, with the SHA-256, hex, over its ids and levels. */
  contract: { revision: string; digest: string }
  plan: Plan
  findings: readonly Finding[]
  /** The stories that were played, in order. */
  stories: readonly StoryRecord[]
  used: { requests: number; turns: number; credits: number; wallSeconds: number }
  conformance: Conformance
  gate: { passed: boolean; because: readonly string[]; stalePolicy: readonly string[] }
  exitCode: number
  /** Clauses of the judged areas that no scenario covers, with the reason. */
  uncovered: readonly { clause: ClauseId; why: string }[]
}

/** The record with the exchanges its findings rest on. */
export interface Run {
  record: RunRecord
  journal: readonly Exchange[]
}
