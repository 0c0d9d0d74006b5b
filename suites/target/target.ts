/** A target as the engine needs it: resolved, secrets in the clear, nothing left to look up. */
import type { Scope, StateId } from '../../spec/index.ts'
import type { OptIn, Profile } from '../engine/scenario.ts'
import type { Header } from '../wire/exchange.ts'
import type { Dialect } from './dialect.ts'

export interface Principal {
  name: string
  /** The API key. Never written to disk. */
  bearer: string
  scopes: readonly Scope[]
  /** `*`, or the agent ids it is restricted to. */
  agents: '*' | readonly string[]
  /** Principals of one account share credits and, for all we know, idempotency keys. */
  account: string
  /** May be rate limited on purpose. */
  sacrificial: boolean
}

/** How a state comes about on this target. */
export type Provision =
  /** The suite alone brings it about. */
  | { provide: 'wire' }
  /** A standing object: this agent, this message, this principal are in the state. */
  | { provide: 'fixture'; agent?: string; message?: string; principal?: string }
  /** The control protocol is asked for it. */
  | { provide: 'control' }
  /** It cannot be had here; `why` goes into the report. */
  | { provide: 'none'; why: string }

export interface Budgets {
  requests: number
  turns: number
  /** Credits, as the answers report them. */
  credits: number
  wallSeconds: number
  /** Per API key. */
  requestsPerMinute: number
}

export interface Target {
  name: string
  kind: 'simulator' | 'staging' | 'production'
  /** Without a trailing slash. */
  baseUrl: string
  headers: readonly Header[]
  principals: readonly Principal[]
  agents: { plain: string; second?: string }
  states: Readonly<Partial<Record<StateId, Provision>>>
  /** Base address of the control protocol for the world under test, and its token. */
  control: { url: string; token: string | null } | null
  dialect: Dialect
  budgets: Budgets
  optIn: readonly OptIn[]
  profile: Profile
  /** Nobody else spends from these accounts during the run. */
  exclusiveCredits: boolean
  timing: {
    /** `control`: waiting is done by advancing the target's clock. */
    clock: 'real' | 'control'
    answerTimeoutMs: number
  }
  policy: Policy
}

export interface KnownFailure {
  check: string
  owner: string
  reason: string
  /** ISO date; after it the entry is expired and the gate fails. */
  expires: string
  fingerprint?: string
}

export interface Policy {
  knownFailures: readonly KnownFailure[]
  /** Clause or check ids that may stay not exercised; `*` allows any. */
  expectedNotExercised: readonly string[]
}
