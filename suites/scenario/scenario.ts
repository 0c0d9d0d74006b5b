/**
 * A scenario is a list of exchanges: run once, judged many times. `run` names each exchange as it sends
 * it; `judge` holds one pure function per clause over those names. What a scenario covers is the keys of
 * `judge`, so a typo in a clause id is a compile error, and so is a name that was not declared.
 */
import type {
  OptIn,
  Profile,
  OperationFixture,
  Echo,
  Principal,
  Recall,
  WebhookCreation,
} from '../config/target.ts'
import type { NamedExchanges, Many, One } from './exchange-names.ts'
import type { ClauseId, GapId, Scope, StateId, WebhookEvent } from '../../spec/index.ts'
import type { Dialect, Listing, UploadKind } from '../config/dialect.ts'
import type { Timeouts } from '../wire/recorder.ts'
import type { Identifiers } from '../../spec/identifiers.ts'
import type { Provide } from '../config/provided.ts'
import type { Exchange, Header, Json } from '../wire/exchange.ts'
import type { OperationsDriver } from './operations-driver.ts'
import type { WebhookDriver } from './webhook-driver.ts'
import type { Citation } from '../../bundle/record.ts'

export { notExercisedReasons, verdicts, type NotExercisedReason } from '../../bundle/verdict.ts'

/** What a judge returns. It never throws for what a target did; a throw is our own error. */
export type Judgement =
  | { is: 'pass'; note?: string; rests?: readonly number[] }
  | ({ is: 'fail' } & Difference)
  | ({ is: 'warn' } & Difference)
  /** `alike`: the value without what is measured anew each time; the value itself where nothing is. */
  | { is: 'observed'; value: string; alike?: string }
  /** `unmet`: what the target did not do, where that left no result; a failure of it elsewhere in the run is the cause. */
  | { is: 'inconclusive'; because: string; unmet?: Pick<Difference, 'expected' | 'got'> }
  | { is: 'not-applicable'; because: string }

export interface Difference {
  expected: string
  got: string
  exchange?: number
  /** Of a rule: the exchanges that it judged so; a pass has the first of them. */
  rests?: readonly number[]
  /** The exchanges that a reader needs to understand it, with the role of each. */
  cited?: readonly Citation[]
}

/** A chat request. What is not given is filled: a fresh key in the body, the agent and key of the setting. */
export interface ChatRequest {
  /** Absent sends a fresh text; to send none, give `raw`. */
  message?: Json
  conversation_id?: Json
  stream?: Json
  interaction?: Json
  /** The key in the body. `null` sends none; absent sends a fresh one. */
  idempotency_key?: Json | null
  extra?: Readonly<Record<string, Json>>
  /** Headers beside the ordinary ones; a name given here replaces the ordinary one in any casing. */
  headers?: readonly Header[]
  /** Names of ordinary headers that are not sent. */
  withoutHeaders?: readonly string[]
  /** Body bytes instead of the JSON of the members above. */
  raw?: string | Uint8Array
  agent?: string
  /** Role of the principal: `self`, or one of `needs.others`. `null` sends no credentials. */
  as?: string | null
  /** When we go away, and how long we wait; see Timeout. */
  timeouts?: Timeouts
  /** Which base address of the target it goes to: 0 the first, from 1 the further ones. Default 0. */
  replica?: number
}

/** The message to remember, the question for it, and both in one message. */
export interface Recalling {
  tell: ChatRequest
  ask: ChatRequest
  both: ChatRequest
}

export interface Driver<N extends string = string>
  extends OperationsDriver<N>, WebhookDriver<N>, OlderDriver<N> {
  /** Ids of the agents of this setting. */
  readonly agent: string
  readonly secondAgent: string
  /** A message that the setting wants sent first, such as the one that makes a Workflow start. */
  readonly message: string
  /** How many further base addresses the target has. */
  readonly replicas: number
  /** What the target file declares of what the contract does not show. */
  readonly dialect: Dialect
  /** The exact identifiers of the service with a vendor in them. */
  readonly identifiers: Identifiers
  /** Whether the target has a principal for a role of `needs.also`. */
  has(role: string): boolean
  /** Does what only these names are for. Where its need is not met, checks that read one have that reason. */
  optional(names: readonly (One<N> | Many<N>)[], step: () => Promise<unknown>): Promise<void>
  /** An agent that the principal of this role may call: this one, or of a restricted one, its own. */
  agentOf(role: string, agent?: string): string
  /** Sends a chat request and waits for the whole answer. */
  chat(name: One<N>, request?: ChatRequest): Promise<Exchange>
  /** Sends one more request under a list name, in its own time. */
  add(name: Many<N>, request?: ChatRequest): Promise<Exchange>
  /** Sends the same bytes again; `change` replaces headers, credentials or timeout, or bytes by `raw`. */
  resend(name: One<N>, exchange: Exchange, change?: Omit<ChatRequest, 'message'>): Promise<Exchange>
  resendTo(name: Many<N>, exchange: Exchange, change?: Omit<ChatRequest, 'message'>): Promise<Exchange>
  /** Sends all at once, on warm connections, past one barrier. */
  together(name: Many<N>, requests: readonly ChatRequest[]): Promise<readonly Exchange[]>
  /** Starts a request and does not wait; `answer` resolves with the exchange. */
  start(name: One<N>, request?: ChatRequest): { answer: Promise<Exchange> }
  /**
   * A request whose reply repeats the text, where the target declares what does that; elsewhere a plea for it,
   * which an agent may or may not follow.
   */
  echoing(text: string): ChatRequest
  /** The message to remember and the question for it; only for scenarios that declare `recall`. */
  recalling(text: string): Recalling
  /** Waits on the target's clock: real time, or an advance where the target allows it. */
  wait(ms: number): Promise<void>
  /** `timing.scale`: the factor of the target on every time of the contract. */
  readonly scale: number
  /** Waits on the target's clock for what the service does in its own time: `ms`, times `scale`. */
  settle(ms: number): Promise<void>
  /** Waits a little real time, for something to get under way. Never the subject of a verdict. */
  pause(ms: number): Promise<void>
  /** Enters a state in the middle of a scenario; it is left when the scenario ends, or by `leave`. `way`: from 0. */
  enter(state: StateId, about?: Readonly<Record<string, string>>, way?: number): Promise<void>
  leave(state: StateId): Promise<void>
  waysTo(state: StateId): number
  providerOf(state: StateId): Provide
  /** A fresh idempotency key, message of `length` characters, uuid: from the run's seed and nonce. */
  key(): string
  text(length?: number): string
  uuid(): string
  /** A whole number in [0, below), from the run's seed. */
  pick(below: number): number
  /** Every exchange of the scenario so far with a greater id than `since`, in the order sent, as it was recorded. */
  exchanges(since?: number): readonly Exchange[]
  readonly remembered: readonly Exchange[]
  /** The latest of them that showed the key of a role what is at a path. Default `self`. */
  shownBefore(path: string, as?: string | null): Exchange | undefined
  readonly notes: Readonly<Record<string, string | number | boolean>>
  /** Leaves a fact for the judges; kept in the record. */
  note(name: string, value: string | number | boolean): void
  /** Ends the scenario: what was not sent yet is inconclusive for this reason, or follows from what is unmet. */
  stop(because: string, unmet?: Judgement): never
}

/** Roles that `needs.older` gives to the keys of the variant. */
export type OlderRole = 'older' | 'otherOlder'

export interface OlderRequest {
  /** Absent sends a fresh text; to send none, give `raw`. */
  message?: Json
  conversation_id?: Json
  metadata?: Json
  stream?: Json
  /** Body bytes instead of the JSON of the members above. */
  raw?: string | Uint8Array
  /** Reads this conversation instead of sending a message. */
  read?: string
  /** Default: the agent of the key. */
  agent?: string
  /** Whose key is sent; `null` sends no credentials. Default `older`. */
  as?: OlderRole | null
  /** Beside the ordinary ones; a name given here replaces the ordinary one in any casing. */
  headers?: readonly Header[]
  withoutHeaders?: readonly string[]
  timeouts?: Timeouts
}

export interface OlderDriver<N extends string = string> {
  /** Sends one request of the older variant and waits for the whole answer. */
  older(name: One<N>, request?: OlderRequest): Promise<Exchange>
  olderMore(name: Many<N>, request?: OlderRequest): Promise<Exchange>
}

/** What a key has to be good for. The suite picks a principal by this, never by its name. */
export interface PrincipalNeed {
  with?: readonly Scope[]
  without?: readonly Scope[]
  /** `restricted`: to one agent that is not the plain one. `other-account`: sees none of our agents. `sacrificial`: may be rate limited. `revoked`: was valid once. */
  kind?: 'ordinary' | 'restricted' | 'other-account' | 'second-of-account' | 'sacrificial' | 'revoked'
}

export interface OperationNeed {
  receipt: OperationFixture['receipt']
  /** Default: either. */
  write?: boolean
  /** It declares what shows how often it was done; `preferred`: one that does is taken before others. */
  effect?: true | 'preferred'
  /** It declares within how many seconds its work is done if its task is never read. */
  doneWithin?: true
}

export interface Needs {
  /** Default: an ordinary key with `chat`. */
  principal?: PrincipalNeed
  others?: Readonly<Record<string, PrincipalNeed>>
  /** The same for steps that are skipped without it; see `optional` and `has` of the driver. */
  also?: Readonly<Record<string, PrincipalNeed>>
  /** States to enter before `run`, in this order; left in reverse. */
  states?: readonly StateId[]
  secondAgent?: true
  /** An agent that says again what an earlier message of its conversation said. */
  recall?: true
  replicas?: true
  session?: true
  /** A place of ours that the target can deliver to. */
  receiver?: true
  event?: 'any'
  /** No other scenario may run at the same time: it triggers events that others wait for. */
  alone?: true
  /**
   * A key of the older chat variant; `two-keys`: and that of another agent; `limited`: one that may be rate limited.
   */
  older?: 'key' | 'two-keys' | 'limited'
  /** An operation that the target file declares; of a write, only where `writes` is opted in to. */
  operation?: OperationNeed
  /** Executes one that the contract names; default: where it needs one. */
  executes?: true
  /** What `run` uses by itself, and none of its checks can do without: states, listings, an upload. */
  enters?: readonly StateId[]
  /** The state without which a single one of its checks has no result. */
  stateOf?: { readonly [C in ClauseId]?: StateId }
  shows?: readonly Listing[]
  uploads?: UploadKind
  /** Only the scenario may spend credits of the account while it runs; else these of its checks have no result. */
  exclusiveCredits?: true | readonly ClauseId[]
  optIn?: readonly OptIn[]
  /**
   * One more look at clauses that other scenarios judge: where the target does not declare what it needs it is not
   * planned at all, and the clauses are none the worse for it.
   */
  extra?: true
}

/** Without which none of its checks has a result. */
export const neededStates = ({ needs }: Pick<AnyScenario, 'needs'>): readonly StateId[] =>
  [needs?.states ?? [], needs?.enters ?? []].flat()

/** The most it can take; the plan adds these up, and the budget holds the run to them. */
export interface Cost {
  requests: number
  turns: number
  /** Requests with the key of the scenario. Default: all, and with a session the turns. */
  paced?: number
  /** So many requests in a row may not be held back by the rate of their key. Default: all. */
  inOneGo?: number
}

/** What a judge may know besides the scenario: plain data, so that a recorded run can be judged again. */
export interface Context {
  dialect: Dialect
  /** Notes that `run` left with `t.note`, such as the text it asked for. */
  notes: Readonly<Record<string, string | number | boolean>>
}

export type Judge<N extends string> = (scenario: NamedExchanges<N>, context: Context) => Judgement

export interface Scenario<N extends string = string> {
  title: string
  exchanges: readonly N[]
  needs?: Needs
  cost: Cost
  /** It sends nothing, and is judged over all exchanges of the run, under the name `all`. */
  rule?: true
  /** It looks at what others left behind, and is run after them. */
  last?: true
  /** Default `standard`. */
  profile?: Profile
  run(driver: Driver<N>): Promise<void>
  /** One pure function per clause; a gap may be observed, never judged. */
  judge: { readonly [C in ClauseId]?: Judge<N> }
  observe?: { readonly [G in GapId]?: Judge<N> }
}

/** A scenario as tables hold it: the names are erased once the compiler has checked the scenario. */
export type AnyScenario = Scenario

/** Declares a scenario; the names in `exchanges` type both `run` and `judge`. */
export function scenario<const N extends string>(planned: Scenario<N>): AnyScenario {
  return planned
}

type Files = Readonly<Record<string, Readonly<Record<string, AnyScenario>>>>

export function byId(files: Files): Readonly<Record<string, AnyScenario>> {
  return Object.fromEntries(
    Object.entries(files).flatMap(([file, scenarios]) =>
      Object.entries(scenarios).map(([name, scenario]) => [`${file}/${kebab(name)}`, scenario] as const),
    ),
  )
}

export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Where a scenario is set: the agents and keys it speaks with. States change it while they hold. */
export interface Setting {
  agent: string
  /** Empty where the target has none. */
  secondAgent: string
  message: string
  echo?: Echo
  /** How an agent is asked to remember a text and to repeat it. */
  recall?: Recall
  replicas?: readonly string[]
  /** Headers of the signed-in user, where the scenario needs one. */
  session?: readonly Header[]
  /** What a creation of webhooks needs beside what the contract shows. */
  webhookCreation?: WebhookCreation
  event?: WebhookEvent
  operation?: OperationFixture
  /** Principals by the role the scenario gives them; `self` is always there. */
  cast: Readonly<Record<string, Principal>>
  /** Why there is no principal for a role of `needs.also`. */
  absent?: Readonly<Record<string, string>>
}

/** An agent, spoken to with one key or none. */
export const plainSetting = (agent: string, self?: Principal | null): Setting => ({
  agent,
  secondAgent: '',
  message: '',
  cast: self ? { self } : {},
})

/** What a state puts in place of the ordinary setting. `principal` takes the role `self`. */
export interface SettingChange {
  agent?: string
  message?: string
  principal?: Principal
  session?: readonly Header[]
}

export function mayCall({ agents }: Principal, agent: string): boolean {
  return agents === '*' || agents.includes(agent)
}

/** The agent where the key may call it, else the first that it may call. */
export function agentFor(principal: Principal, agent: string): string {
  return mayCall(principal, agent) ? agent : (principal.agents[0] ?? agent)
}

/** A principal that replaces `self` without an agent of its own gets one that it may call. */
export function changed(setting: Setting, change: SettingChange): Setting {
  const { message, principal: named, session } = change
  const agent = change.agent ?? (named ? agentFor(named, setting.agent) : setting.agent)
  // Who is there already keeps the key that the scenario began with.
  const principal = Object.values(setting.cast).find(({ name }) => name === named?.name) ?? named
  return {
    ...setting,
    agent,
    message: message ?? setting.message,
    ...(session ? { session } : {}),
    cast: principal ? { ...setting.cast, self: principal } : setting.cast,
  }
}
