/** A tenant as those see it who set it up: tests, the control plane, the command line. */
import type { Targets } from './webhooks/guard/addresses.ts'
import type { ReplyRule } from './tenant/reply-rule.ts'
import type { Credentials } from './tenant/journal/entry.ts'
import type { Identifiers } from '../spec/identifiers.ts'
import type { Interpretations, WebhookEvent } from '../spec/index.ts'
import type { FaultId, VariantId } from './modification-names.ts'
import type { NetworkFault } from './tenant/network-fault.ts'
import type { JsonObject } from './json.ts'
import type { Owner } from './operations/approvals.ts'
import type { TaskPace } from './tenant/operations/operation.ts'
import type { Snapshot } from './persistence/snapshot.ts'
import type { SituationOptions, PreparedSituations, SituationName } from './prepared.ts'
import type { WebhookDelivery } from './tenant/webhooks/delivery.ts'
import type { Barriers } from './clock/barriers.ts'
import type { TenantClock, ClockSetting } from './clock/clock.ts'
import type { MachineTime } from './clock/machine-time.ts'
import type { AgentRole, KeyRole, SessionRole } from './tenant/fixtures.ts'
import type { Journal } from './tenant/journal/journal.ts'
import type { Outage } from './tenant/rate.ts'
import type { Retention } from './limits.ts'
import type { TenantState } from './rules/tenant-state.ts'

export interface Modifications {
  /** Names in `simulator/faults/index.ts`. */
  faults?: readonly FaultId[]
  /** Names in `simulator/variants/index.ts`. */
  variants?: readonly VariantId[]
  interpretations?: Partial<Interpretations>
}

export interface TenantOptions extends Modifications {
  /** Same seed, same ids and keys. Default: a seed of its own for each tenant. */
  seed?: string
  /**
   * What the service writes where the contract has `service`: `acme` gives `X-Acme-Idempotent-Replay`. Default: that
   * of the simulator, and `service` there.
   */
  vendor?: string
  /** Single identifiers that do not follow from the vendor's word. */
  identifiers?: Partial<Identifiers>
  /** Default: real time. */
  clock?: ClockSetting
  /** What real time is for the clock. Default: that of the machine. */
  machine?: MachineTime
  /** Matched before the reply rules of the fixtures. */
  replyRules?: readonly ReplyRule[]
  /** Entries kept; default 10,000. */
  journalCapacity?: number
  /** What they take in memory, in bytes, about; the oldest go first. Default 64 MiB. */
  journalBytes?: number
  /** Default `redacted`. `kept` is for those who hand the journal to nobody before they took them out. */
  journalCredentials?: Credentials
  /** Called before a journal is cleared, by a reset too, and when its tenant is closed. */
  onJournalEnd?: (journal: Journal, identifiers: Identifiers) => void
  /** How much is remembered; what is not given is as simulator/limits.ts has it. */
  retention?: Partial<Retention>
  /** No request is ever refused for its rate: for load only, since the contract has a limit. */
  unlimited?: boolean
  /** The older variant is served, as under the interpretation `yes` of GAP-OLDER-SERVED; modifications and a reset leave it. */
  legacy?: boolean
  /** What moves tasks on; modifications and a reset leave it. Default: each read shows the next state. */
  tasks?: TaskPace
  /** What happens to requests and answers on their way, as for `addNetworkFaults`; a reset begins with them anew. */
  networkFaults?: readonly NetworkFault[]
  /** Targets of webhooks that are let through or resolved on purpose; modifications and a reset leave them. */
  targets?: Targets
}

export interface Tenant extends Owner {
  readonly id: string
  readonly seed: string
  readonly vendor: string
  readonly identifiers: Identifiers
  /** Base address, without a trailing slash. */
  readonly url: string
  /** Tokens of signed-in users by role. */
  readonly sessions: Readonly<Record<SessionRole, string>>
  readonly keys: Readonly<Record<KeyRole, string>>
  /** Keys of the older variant, by the role of the agent that each is good for. */
  readonly olderKeys: Readonly<Record<AgentRole, string>>
  /** Agent ids by role. */
  readonly agents: Readonly<Record<AgentRole, string>>
  readonly clock: TenantClock
  readonly barriers: Barriers
  readonly journal: Journal
  readonly interpretations: Readonly<Interpretations>
  readonly faults: readonly FaultId[]
  readonly variants: readonly VariantId[]
  /** The tenant itself, for handlers and for those who need more than what stands here. */
  readonly state: TenantState
  /** Replaces faults, variants and interpretations; what is not given goes back to the default. Throws on an unknown name. */
  setModifications(modifications: Modifications): void
  /** AI replies of an agent (id or role) pause. */
  pause(agent: string): void
  resume(agent: string): void
  /** Whether the plan allows an agent (id or role). */
  setAllowed(agent: string, allowed: boolean): void
  /** `account`: id of an account, or role or token of one of its API keys. `amount` in credits. */
  setCredits(account: string, amount: number): void
  credits(account: string): number
  /** The outcome of the turn of this key is not known from now on; claims the key if it was unused. */
  markUncertain(about: { key: string; apiKey?: string; agent?: string }): void
  /** Uses up what an API key (role or token; default main) has left in this minute. */
  exhaustRate(apiKey?: string): void
  resetRate(apiKey?: string): void
  /** The next requests meet a server error. */
  fail(outage: Outage): void
  clearFailures(): void
  /** NetworkFaultAction on the wire, on top of what there is. Throws for what cannot happen, such as an unknown code. */
  addNetworkFaults(networkFaults: readonly NetworkFault[]): void
  clearNetworkFaults(): void
  /**
   * Makes a webhook event happen to an agent (id or role; default `plain`). Without a payload it gets one of the
   * simulator's own. Gives the ids of the deliveries it makes. Throws on an event that does not exist.
   */
  emit(event: WebhookEvent, about?: { agent?: string; payload?: JsonObject }): readonly string[]
  /** Those that are remembered, of one webhook or of all, each webhook's oldest first; they change as they go on. */
  deliveries(webhookId?: string): readonly WebhookDelivery[]
  /**
   * Delivers an event once more: under the same id, as at-least-once allows, or as a delivery of its own (default).
   * Gives its id. Throws where there is no such delivery.
   */
  again(deliveryId: string, how?: { sameId?: boolean }): string
  /** What only the dashboard can do. Throws where there is no such webhook. */
  setWebhookActive(id: string, active: boolean): void
  /** The plan of an account, such as `business`; `account` as for `setCredits`. */
  setPlan(account: string, plan: string): void
  /** As `setPlan` takes it. */
  plan(account: string): string
  /** The outcome of the write of operations with this idempotency key is not known from now on. */
  markRunUncertain(about: { key: string; apiKey?: string }): void
  /** The upload that was prepared with this idempotency key has lapsed from now on. Throws where there is none. */
  lapseUpload(about: { key: string; apiKey?: string }): void
  /** Matched before the reply rules that are there. */
  addReplyRules(replyRules: readonly ReplyRule[]): void
  /**
   * Puts the tenant into a situation, and returns what a client needs in it: the API key, the agent, the requests to
   * send. Rejects with a RangeError for an unknown situation, or if the tenant refuses a request of the setup.
   */
  prepareSituation<N extends SituationName>(
    name: N,
    options?: SituationOptions,
  ): Promise<PreparedSituations[N]>
  /** Everything that the tenant contains, with its credentials. Throws a RangeError while a turn is in flight, and while there are barriers. */
  snapshot(): Snapshot
  /**
   * The same as JSON in UTF-8. Throws a RangeError where `snapshot` does, and if it has more than `mostBytes`.
   */
  snapshotText(mostBytes: number): Uint8Array
  /**
   * Back to the state of a snapshot; the journal is cleared. Throws a RangeError while a turn is in flight, and for a
   * snapshot that is damaged or of another tenant, and then changes nothing.
   */
  restore(snapshot: Snapshot): void
  /**
   * Back to the fixtures and to no modifications; ids and keys stay. Turns and operations in flight end as in a crash of
   * the service: their connections are closed, and nothing of them is stored.
   */
  reset(): void
  /** Turns and operations in flight end as with a reset. */
  close(): void
  /** The same as `close`, for `using`. */
  [Symbol.dispose](): void
}
