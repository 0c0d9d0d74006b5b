/** What a scenario can do. The runner passes one to `run`; every request goes through the governor and the recorder. */
import type { Many, One } from './exchange-names.ts'
import type { Timeouts } from '../wire/recorder.ts'
import type { Json } from '../wire/json.ts'
import type { Identifiers } from '../../spec/identifiers.ts'
import type { StateId } from '../../spec/index.ts'
import type { Dialect } from '../config/dialect.ts'
import type { Provide } from '../config/provided.ts'
import type { Exchange, Header } from '../wire/exchange.ts'
import type { OperationsDriver } from './operations-driver.ts'
import type { WebhookDriver } from './webhook-driver.ts'

/** A chat request. What is not given is filled: a fresh key in the body, the agent and key of the setting. */
export interface ChatRequest {
  /** Absent sends a fresh text; to send none, give `raw`. */
  message?: Json
  conversation_id?: Json
  stream?: Json
  interaction?: Json
  /** The key in the body. `null` sends none; absent sends a fresh one. */
  idempotency_key?: Json | null
  /** Further members of the body. */
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
  /** An agent that the principal of this role may call: of a restricted one, its own. */
  agentOf(role: string): string
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
  /** Waits on the target's clock for what the service does in its own time: `ms`, times `timing.scale`. */
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
  /** Every exchange of the scenario so far with a greater id than `since`, in the order sent. */
  exchanges(since?: number): readonly Exchange[]
  readonly notes: Readonly<Record<string, string | number | boolean>>
  /** Leaves a fact for the judges; kept in the record. */
  note(name: string, value: string | number | boolean): void
  /** Ends the scenario: what was not sent yet is inconclusive for this reason. */
  stop(because: string): never
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
  /** The same under a list name. */
  olderMore(name: Many<N>, request?: OlderRequest): Promise<Exchange>
}
