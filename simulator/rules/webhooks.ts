/**
 * Every decision of webhooks that the contract leaves open or that a fault may get wrong, as part of the rules of a
 * tenant: see simulator/rules/tenant-state.ts.
 */
import type { webhooksGaps } from '../../spec/gaps/webhooks.ts'
import type { Interpretations, WebhookEvent } from '../../spec/index.ts'
import type { ChatRules } from './chat.ts'
import type { TurnRequest } from '../tenant/keys.ts'
import type { Call, HeaderLine } from '../edge/reply.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Random } from '../tenant/random.ts'
import type { TenantData } from '../tenant/tenant-data.ts'
import type { AttemptRecord, WebhookDelivery, Occurrence } from '../tenant/webhooks/delivery.ts'
import type { PayloadContext, Changeable, DashboardSession, Webhook } from '../tenant/webhooks/webhook.ts'

export interface WebhookTenant extends TenantData {
  readonly rules: WebhookRules & ChatRules
}

/** One rule for the members of a creation or an update; words where it objects. */
export interface FieldRule {
  readonly name: string
  objects(fields: JsonObject, state: WebhookTenant, is: 'create' | 'update'): string | null
}

/** Status and body of a management answer; a body of null sends none. */
export interface Managed {
  readonly status: number
  readonly body: Json
}

export interface LogFacts {
  readonly event: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Null where no answer came. */
  readonly status: number | null
  /** Null where nothing was sent. */
  readonly tookMs: number | null
  readonly success: boolean
  readonly retries: number
}

export interface ManagementRules {
  /** The session that a request carries; null where it carries none. */
  sessionOf(call: Call, state: WebhookTenant): DashboardSession | null
  /** Where a project key is sent instead of a session. */
  projectKeyStatus: 401 | 403
  /** A plan without webhook settings. */
  webhookPlanStatus: 402 | 403
  hasWebhookSettings(plan: string, call: Call): boolean
  webhookRefusal: 400 | 422
  requiredFields: readonly string[]
  /** Run in order; the first that objects wins. Take one out by its name to stop checking it. */
  fieldRules: readonly FieldRule[]
  takesIsActive: boolean
  /** Whether a webhook gets deliveries, whatever it has selected. */
  isOn(webhook: Webhook): boolean
  takesDescription: boolean
  /** Words where an endpoint may not be given to a webhook. */
  endpointProblem(url: string, state: WebhookTenant): string | null
  webhooksPerAgent: number
  /** Bytes of all webhooks of an agent as they are listed, about. */
  webhookBytesPerAgent: number
  changes(fields: JsonObject, state: WebhookTenant): Partial<Changeable>
  removes(webhook: Webhook, state: WebhookTenant): void
  sendsTest(webhook: Webhook, state: WebhookTenant): WebhookDelivery
  newSecret(random: Random): string
  newWebhookId(random: Random): string
  secretPreview(secret: string): string
  listed(webhook: Webhook, state: WebhookTenant): JsonObject
  created(webhook: Webhook): Managed
  updated(webhook: Webhook, state: WebhookTenant): Managed
  deleted(webhook: Webhook): Managed
  tested(delivery: WebhookDelivery): Managed
  /** The log of a webhook from its deliveries, the oldest first. */
  logged(deliveries: readonly WebhookDelivery[], state: WebhookTenant): Json
  /** What the log says of a delivery; nothing while it is too early to say. */
  logFacts(delivery: WebhookDelivery): readonly LogFacts[]
  logEntry(facts: LogFacts): JsonObject
  /** The oldest entry comes first. */
  logList(entries: readonly JsonObject[]): Json
  /** When the guard objects to a host that is blocked as it is written; its deliveries are blocked either way. */
  blocksAt: 'creation' | 'delivery'
  /** Custom headers with the name of one that the service sends. */
  reservedHeader: 'passed-over' | 'refused'
}

export interface GuardPolicy {
  /** `localhost` may be reached, over plain HTTP too: at loopback addresses only. */
  readonly development: boolean
  /** For laboratories: addresses, networks (`10.1.0.0/16`) and host names that are let through all the same. */
  readonly allow: readonly string[]
  /** Names with their addresses, asked before the machine's own resolver. */
  readonly names: Readonly<Record<string, readonly string[]>>
  /** Zones with the name server, such as `127.0.0.1:5300`, that is asked for names in them; likewise. */
  readonly zones?: Readonly<Record<string, string>>
  /** Switched off by a fault only. */
  readonly checks: {
    /** The host as it is written in the URL. */
    readonly literal: boolean
    /** Every address that a name resolves to. */
    readonly resolved: boolean
    /** The address that the socket is connected to. */
    readonly connected: boolean
    /** Addresses that carry another one inside: IPv4-mapped, NAT64, 6to4, Teredo. */
    readonly embedded: boolean
    /** HTTPS for every host that is neither `localhost` in development nor let through. On where it is not given. */
    readonly https?: boolean
    /** The connection goes to the addresses that were looked at, without another look-up. On where it is not given. */
    readonly sameLookUp?: boolean
  }
}

export interface DeliveryRules {
  targets(state: WebhookTenant): Iterable<Webhook>
  /** Whether anything goes out to a webhook at all. */
  isOn(webhook: Webhook): boolean
  selects(webhook: Webhook, event: string): boolean
  testEvent(webhook: Webhook): string
  testFlag: boolean
  testsAsLive: boolean
  /** What is in the payload of an event that was made to happen without one; `context`: what is known of it. */
  payload(event: string, state: WebhookTenant, context?: Partial<PayloadContext>): JsonObject
  turnsEmit: boolean
  reports(event: string, asked: TurnRequest): boolean
  /** What is sent of something that comes near an event and is none. */
  comesOfNear(event: WebhookEvent): readonly WebhookEvent[]
  deliveryId(test: boolean, random: Random): string
  attemptId(delivery: WebhookDelivery, number: number): string
  /** `attemptAt`: milliseconds since 1970. */
  envelope(occurrence: Occurrence, attemptAt: number): JsonObject
  encode(envelope: JsonObject): Uint8Array
  signature(body: Uint8Array, secret: string): string
  /** Whether a custom header of this name, in any casing, would be taken for one of the service or of the message. */
  isReservedHeader(name: string): boolean
  /** Headers of the service, then what is left of the custom ones. */
  deliveryHeaders(
    delivery: WebhookDelivery,
    attempt: number,
    body: Uint8Array,
    rules: DeliveryRules,
  ): readonly HeaderLine[]
  /** Before the first attempt. Anything but 0 is not at once. */
  firstWaitMs: number
  /** In total. */
  attemptsMost: number
  answerWaitMs: number
  isDelivered(status: number): boolean
  /** Between attempt `number` and the next one. */
  backoffMs(number: number): number
  /** So many failed deliveries in a row pause an endpoint, for so long. */
  endpointPause: { readonly after: number; readonly ms: number }
  /** No conforming service turns a webhook off because its endpoint fails. */
  pauseTurnsOff: boolean
  pausedEvents: 'kept' | 'dropped'
  followsRedirects: boolean
  /** Deliveries of a webhook go out one after the other while none fails. */
  keepsOrder: boolean
  /** At most so many attempts at a time in the tenant, and so many deliveries of one webhook begun and not ended. */
  concurrency: { readonly state: number; readonly webhook: number }
  /** Deliveries of a webhook that may wait; what comes then is dropped, and counted. */
  queueLimit: number
  /** Ended deliveries of a webhook that the log remembers. */
  logLimit: number
  guard: GuardPolicy
  /** Whether an attempt is followed by another, as long as there are any left; also asked where it succeeded. */
  retries(attempt: AttemptRecord): boolean
}

export interface WebhookRules extends ManagementRules, DeliveryRules {}

/** A row for each interpretation of each gap, what it changes in the rules. */
export type WebhookInterpretations = {
  readonly [G in keyof typeof webhooksGaps]: {
    readonly [R in Interpretations[G]]: Partial<WebhookRules>
  }
}
