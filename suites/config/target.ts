/** A target as the engine needs it: resolved, secrets in the clear, nothing left to look up. */
import type { Secret } from '../../bundle/redaction/redaction.ts'
import type { Budgets, Implementation, OptIn, Profile } from '../../bundle/record.ts'
import type { Identifiers } from '../../spec/identifiers.ts'
import type { NamedClauseSet, StateId, Revision } from '../../spec/index.ts'
import type { Policy, WrittenPolicy } from '../policy/policy.ts'
import type { Header, Json } from '../wire/exchange.ts'
import type { TargetAccess } from '../wire/route.ts'
import type { Dialect, EffectCount } from './dialect.ts'
import type { Features } from './features.ts'
import type { Provision, HttpHook, Provide } from './provided.ts'

export { optIns, profiles } from '../../bundle/record.ts'
export type { Budgets, Implementation, OptIn, Profile, Provision }

export interface Principal {
  name: string
  /** The API key. Never written to disk. */
  bearer: string
  /** Where the key comes from, as `env:NAME` or `file:PATH`, for commands that a report prints. */
  source?: string
  scopes: readonly string[]
  /** `*`, or the agent ids it is restricted to. */
  agents: '*' | readonly string[]
  /** Principals of one account share credits and, for all we know, idempotency keys. */
  account: string
  sacrificial: boolean
  /** It was valid once and is so no more. */
  revoked?: true
  /** Further keys of the same account with the same rights. */
  pool?: readonly string[]
  /** Which of its keys `bearer` is, where a scenario was given another than the first. */
  lane?: string
}

export interface Fixtures {
  /** Texts to send. `plain`: gets an ordinary reply from any agent. */
  messages: { plain?: string }
  echo: Echo | null
  recall: Recall | null
  operations: readonly OperationFixture[]
}

/** An agent that repeats the text in place of `{text}` in the message. */
export interface Echo {
  agent: string
  message: string
}

/** An agent that remembers within a conversation: `tell` asks it to remember the text in place of `{text}`. */
export interface Recall {
  agent: string
  tell: string
  ask: string
}

/** An operation, by a name of its own, with input whose receipt is known. */
export interface OperationFixture {
  name: string
  id: string
  input: unknown
  receipt: 'completed' | 'accepted' | 'pending_approval' | 'failed'
  /** It changes something: run only where `writes` is opted in to. Default false. */
  write?: boolean
  /** JSON pointers to members of the input that must differ in each run; each gets a fresh text. */
  fresh?: readonly string[]
  effect?: EffectCount
  /** Of `accepted`: within so many seconds its task is final, or needs input, even if it is never read. */
  doneWithinSeconds?: number
}

export interface OlderKey {
  name: string
  agent: string
  /** Never written to disk. */
  bearer: string
}

export interface Legacy {
  keys: readonly OlderKey[]
}

export interface Receiver {
  /** `loopback`: on this machine. `public`: at an address that leads to `listen`. `none`: nowhere. */
  mode: 'loopback' | 'public' | 'none'
  /** Host and port; port 0 takes any. */
  listen: string
  publicUrl: string | null
  waitSeconds: number
  /** Scenarios that wait for deliveries at the same time, each with webhooks of its own. */
  scenariosAtOnce: number
  /** The target counts as one in development: it delivers to localhost over plain HTTP. */
  development: boolean
  /** Out of development the target lets localhost through all the same, by a list as a laboratory has one. */
  allowed: boolean
  /** Names that lead to a private address, as the target resolves them. */
  privateNames: readonly string[]
  /** A name server of the run, which the resolver of the target asks for names in a zone. */
  resolver: MovingZone | null
}

export interface Certificate {
  cert: string
  key: string
}

export interface MovingZone {
  /** Host and port, over UDP. */
  listen: string
  zone: string
  /** The public address that a name leads to at first; null: that of `publicUrl`. */
  first: string | null
  /** The private address of this machine that it leads to later; null: none that the target could reach. */
  later: string | null
  /** Names also change between two look-ups for one delivery. */
  rebinding: boolean
  /** For every name of the zone, as PEM; null: no TLS handshake is completed. */
  certificate: Certificate | null
}

export interface WebhookCreation {
  headers: readonly Header[]
  members: Readonly<Record<string, Json>>
}

export interface Target {
  name: string
  kind: 'simulator' | 'staging' | 'production'
  implementation: Implementation
  /** The word that it writes where the contract has `service`; absent where that was not stated. */
  vendor?: string
  /** The exact identifiers with a vendor in them; absent: as the contract writes them. */
  identifiers?: Identifiers
  /** Without a trailing slash. */
  baseUrl: string
  replicas: readonly string[]
  tls: TargetAccess['tls']
  proxy: TargetAccess['proxy']
  http?: TargetAccess['http']
  /** What references of the file led to, but for addresses and names. */
  referred?: readonly (Secret & { reference?: string })[]
  headers: readonly Header[]
  /** Requests carry no `traceparent`. */
  trace?: false
  /** The response header with the id that the service gives a request. */
  requestIdHeader?: string
  principals: readonly Principal[]
  /** Headers of a signed-in user, whose secrets are never written to disk. */
  session: { headers: readonly Header[] } | null
  /** Further signed-in users by name, likewise. `ended`: no more. */
  sessions: Readonly<Record<string, { headers: readonly Header[]; ended?: true }>>
  /** What a creation of webhooks needs beside what the contract shows. */
  webhookCreation?: WebhookCreation
  /** What the older chat variant is asked with; null where it is not to be asked. */
  legacy: Legacy | null
  agents: { plain: string; second?: string }
  fixtures: Fixtures
  features: Features
  states: Readonly<Partial<Record<StateId, Provision>>>
  /** Where each state is declared, as `file:line`. Absent without a file. */
  statePlaces?: Readonly<Record<string, string>>
  /** Where `doneWithinSeconds` of an operation is declared, by its name, as `file:line`. Absent without a file. */
  doneWithinPlaces?: Readonly<Record<string, string>>
  furtherStates?: Readonly<Partial<Record<StateId, readonly Provision[]>>>
  /** Base address of the control protocol for the tenant under test, and its token. */
  control: { url: string; token: string | null } | null
  receiver: Receiver
  dialect: Dialect
  budgets: Budgets
  optIn: readonly OptIn[]
  /** No write, no webhook and no destructive request is sent, whatever else is declared. */
  readOnly: boolean
  profile: Profile
  /** During the run only the run spends from these accounts. */
  exclusiveCredits: boolean
  timing: {
    /** `control`: waiting is done by advancing the target's clock. */
    clock: 'real' | 'control'
    answerTimeoutMs: number
    /** Factor on every time that the service is given for what it does by itself. Default 1. */
    scale?: number
  }
  /** The clauses that count. Default: the newest published set. */
  contract?: NamedClauseSet
  policy: Policy
  /** SHA-256, hex, of what the target file says, references in place of secrets. Absent without a file. */
  fileDigest?: string
  /** Words of the command line that name this target, without secrets, for commands that a report prints. */
  arguments?: readonly string[]
  /** How a simulator is switched away from its plain self, in words of the command line. */
  modifications?: readonly string[]
}

/** A target file as it is written, before references and secrets are looked up. */
export interface TargetFile {
  target: {
    name: string
    kind: Target['kind']
    baseUrl: string
    vendor?: string
    identifiers?: Partial<Identifiers>
    implementation?: Implementation
    replicas?: readonly string[]
    tls?: WrittenTls
    proxy?: string
    http?: Target['http']
    headers?: WrittenHeaders
    trace?: boolean
    requestIdHeader?: string
  }
  principals: Readonly<Record<string, WrittenPrincipal>>
  session?: { headers: WrittenHeaders }
  sessions?: Readonly<Record<string, { headers: WrittenHeaders; ended?: boolean }>>
  webhooks?: { create?: { headers?: WrittenHeaders; members?: Readonly<Record<string, Json>> } }
  agents: Readonly<Record<string, string>> & { plain: string }
  legacy?: { keys: Readonly<Record<string, string>> }
  fixtures?: {
    messages?: { plain?: string }
    echo?: { agent?: string; message?: string }
    recall?: { agent?: string; tell?: string; ask?: string }
    operations?: Readonly<Record<string, Omit<OperationFixture, 'name'>>>
  }
  features?: Partial<Features>
  states: Readonly<Record<string, WrittenProvision | readonly WrittenProvision[]>>
  control?: { url: string; token?: string }
  receiver?: Partial<Omit<Receiver, 'resolver'>> & { resolver?: WrittenResolver }
  dialect?: Dialect
  budgets?: Partial<Budgets>
  optIn?: readonly OptIn[]
  readOnly?: boolean
  profile?: Profile
  exclusiveCredits?: boolean
  timing?: Partial<Target['timing']>
  contract?: Revision
  policy?: string | WrittenPolicy
}

export interface WrittenResolver {
  listen: string
  zone: string
  first?: string
  later?: string
  rebinding?: boolean
  certFile?: string
  keyFile?: string
}

type WrittenHeaders = Readonly<Record<string, string>>

export interface WrittenPrincipal {
  bearer: string
  pool?: readonly string[]
  scopes: readonly string[]
  agents?: '*' | readonly string[]
  account?: string
  sacrificial?: boolean
  revoked?: boolean
}

export interface WrittenProvision {
  provide: Provide
  agent?: string
  message?: string
  principal?: string
  session?: string
  enter?: WrittenHook
  leave?: WrittenHook
  environment?: readonly string[]
  timeoutSeconds?: number
  instruction?: string
  undo?: string
  by?: string
  on?: string
  note?: string
  why?: string
}

export type WrittenHook = WrittenRequest | readonly string[]

export interface WrittenRequest {
  method: HttpHook['method']
  url: string
  headers?: WrittenHeaders
  json?: unknown
  expect?: readonly number[]
}

export interface WrittenTls {
  caFile?: string
  certFile?: string
  keyFile?: string
  passphrase?: string
}

/** The target file, the environment or an option is wrong. Each problem is a line that says what to do. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
  readonly problems: readonly string[]
  constructor(...problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}
