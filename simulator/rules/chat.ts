/**
 * Every decision of chat that the contract leaves open or that a fault may get wrong, as values and small functions.
 * Handlers ask these rules and decide nothing of the kind themselves: an interpretation of an unspecified point and a
 * fault are both other entries of this record.
 */
import type { ReplyPresentation } from '../tenant/reply-rule.ts'
import { type ErrorRules, type ChatRefusalCode, refuseChat, type ChatRefusal } from '../edge/refusal.ts'
import type { TurnRequest, TurnReply, KeyBook, KeyRecord } from '../tenant/keys.ts'
import type { Call, HeaderLine, StreamEvent } from '../edge/reply.ts'
import { type Json, type JsonObject, canonicalJson, isObject } from '../json.ts'
import type { ButtonState, Conversation, Offer, Credits } from '../tenant/conversations.ts'
import type { Agent, ApiKey } from '../tenant/principals.ts'
import type { RateRule, RateState } from '../tenant/rate.ts'
import type { TenantData } from '../tenant/tenant-data.ts'

/** What a presentation is to hold, before an interpretation gives it its shape. */
export interface PresentationContent {
  readonly messages: readonly string[]
  readonly buttons: readonly { readonly label: string; readonly interaction: JsonObject }[]
  readonly images: readonly string[]
  readonly media: readonly string[]
}

export interface ChatTenant extends TenantData {
  readonly rules: ChatRules
}

/** One rule of the chat body; returns words when the body breaks it. */
export interface BodyRule {
  readonly name: string
  objects(body: JsonObject, rules: RequestRules): string | null
}

export interface CarriedKeys {
  /** The member of the body; null when there is none. */
  readonly body: string | null
  /** Values of both headers, in the order of the lines. */
  readonly headers: readonly string[]
}

/** `disagree`: more than one key came, and no rule says which counts. */
export type ChosenKey =
  | { readonly is: 'key'; readonly key: string }
  | { readonly is: 'missing' }
  | { readonly is: 'disagree' }

export interface RequestRules {
  order: 'agent-first' | 'body-first'
  bodyLimitBytes: number
  /** `value` is the Content-Type header, null when there is none. */
  acceptsContentType(value: string | null): boolean
  /** Run in order; the first that objects wins. Take one out by its name to stop checking it. */
  bodyRules: readonly BodyRule[]
  /** Number of characters of a message or of a key. */
  measure(text: string): number
  /** Null refuses the value. */
  streamFlag(value: Json): boolean | null
  refusesUnknownMembers: boolean
  chooseKey(carried: CarriedKeys): ChosenKey
  /** Two keys with the same result are one key. */
  normalizeKey(key: string): string
}

/** One condition; `agent` is undefined when there is none with that id. Null: it has no objection. */
export interface PermissionRule {
  readonly name: string
  objects(apiKey: ApiKey, agent: Agent | undefined, rules: AccessRules): ChatRefusalCode | null
}

export interface AccessRules {
  /** The API key in an Authorization header; null when there is none in it. */
  bearer(authorization: string): string | null
  /** An API key as it is handed out; `bearer` must parse it. */
  shownKey(token: string): string
  isValid(apiKey: ApiKey): boolean
  /** Run in order; the first that objects wins. Take one out by its name to stop checking it. */
  permissions: readonly PermissionRule[]
  foreignAgent: 'AGENT_NOT_FOUND' | 'AGENT_FORBIDDEN'
}

export interface RateRules {
  rate: RateRule
  rateCounts: 'all' | 'turns'
  /** Requests with the same result share one limit. */
  rateSubject(apiKey: ApiKey): string
  rateHeaders(state: RateState): readonly HeaderLine[]
  rateBody(state: RateState): JsonObject
}

export interface KeyRules {
  /** Where keys are remembered: one book of the tenant. Another one for some calls makes a replica that forgets. */
  book(state: ChatTenant, call: Call): KeyBook
  /** Within what a key is unique. */
  keyNamespace(asked: TurnRequest): string
  /** Requests are identical when this and `exactText` are. */
  fingerprint(asked: TurnRequest): string
  exactText(asked: TurnRequest): string
  /** Time between looking a key up and claiming it. Anything but 0 is a race. */
  claimGapMs: number
  /** A running turn holds its key so long. Infinity: until it ends. */
  leaseMs: number
  /** A key that was settled is remembered so long. */
  keyLifeMs: number
  /** Time between the answer and the moment at which its key counts as completed. */
  finishLagMs: number
  inFlightOther: 'REQUEST_IN_PROGRESS' | 'IDEMPOTENCY_CONFLICT'
  /** After a 402, a 409 for a pause or a stale button, or a 5xx. */
  refusedKey: 'released' | 'kept'
  /** After an error in the stream or a 5xx of a turn that ran. */
  failedKey: 'released' | 'uncertain'
  /** No conforming server forgets the key of a turn that ran. */
  clientGone: 'finishes' | 'uncertain' | 'forgotten'
}

export interface ReplayRules {
  replayHeaders: readonly HeaderLine[]
  /** Whether a replay goes out as a stream. */
  replayAsStream(asked: boolean, original: boolean): boolean
  /** Keep the events of a turn with its key; costs memory. */
  remembersEvents: boolean
  /** All events of a replayed stream, the terminal one last. `done` is built already. */
  replayEvents(record: KeyRecord, done: StreamEvent, original: readonly StreamEvent[]): readonly StreamEvent[]
  /** `left`: credits of the account now. */
  replayReply(original: TurnReply, left: Credits, record: KeyRecord): TurnReply
  /** Taken from the account for a replay. */
  replayDebit(original: TurnReply, record: KeyRecord): Credits
}

export interface Bill {
  readonly asked: TurnRequest
  readonly response: string
  /** Cost in the reply rule; null if it has none. */
  readonly given: Credits | null
}

/** A change of a balance: what it was when the turn began, and what it is now. */
export interface BalanceChange {
  readonly atStart: Credits
  readonly now: Credits
  readonly debit: Credits
}

export interface CreditRules {
  /** What a turn costs, and `credits_used` says. */
  cost(bill: Bill): Credits
  /** What is taken from the account for it. */
  debit(cost: Credits, record: KeyRecord): Credits
  balanceAfter(change: BalanceChange): Credits
  /** What `credits_remaining` says of a turn. */
  remaining(balance: Credits, used: Credits): Credits
  covers(available: Credits, cost: Credits): boolean
  pausedCost: 'free' | 'charged'
  /** Further members of a 402. */
  shortage(required: Credits, remaining: Credits): JsonObject
  /** As a number in a body. */
  showCredits(credits: Credits): number
}

export interface ButtonIdentity {
  /** A uuid. */
  readonly run: string
  /** Number of the presentation within the tenant. */
  readonly presentation: number
  /** Number of the button within the presentation, from 1. */
  readonly choice: number
}

/** Rules for conversations, Workflow buttons and pauses. */
export interface FlowRules {
  /** Added to the duration of every turn. */
  workMs: number
  unknownConversation: 'refuse' | 'start'
  pausedBeforeStale: boolean
  forged: 'stale' | 'invalid'
  /** The request as its turn sees it, once its key is claimed. */
  turnOf(asked: TurnRequest, state: ChatTenant): TurnRequest
  /** Whether a button can be pressed, given what is known of it. */
  buttonState(known: ButtonState): ButtonState
  /** `runId`, `nodeId` and `payload` of a button. */
  interactionMembers(button: ButtonIdentity): JsonObject
  presentation(content: PresentationContent): JsonObject
  /** `ai_reply` of a stored message. */
  pausedMark: Json
  /** `customer_message` of a stored message. */
  customerMessage(mark: Json, id: string): JsonObject
  /** Whether later turns of its conversation know the message. */
  threadKeeps(asked: TurnRequest): boolean
}

export interface ChatRules
  extends RequestRules, AccessRules, RateRules, KeyRules, ReplayRules, CreditRules, FlowRules, ErrorRules {}

/** The members that are copied, whatever else a client adds. */
function identity(interaction: JsonObject): string {
  const { runId = null, nodeId = null, payload = null } = interaction
  return canonicalJson([runId, nodeId, payload])
}

/** Makes a presentation in a conversation; the buttons of the one before are superseded. */
export function presentButtons(
  state: ChatTenant,
  conversation: Conversation,
  content: ReplyPresentation,
): JsonObject {
  const { rules, random, offers } = state
  const { messages = [], buttons = [], images = [], media = [] } = content
  const presentation = ++state.presentations
  const run = random.uuid()
  const offered = buttons.map((label, index) => {
    const members = rules.interactionMembers({ run, presentation, choice: index + 1 })
    offers.set(identity(members), { conversation, presentation })
    return { label, interaction: { type: 'workflow_button', ...members } }
  })
  conversation.current = presentation
  return rules.presentation({ messages, buttons: offered, images, media })
}

/** The offer that a button belongs to, if it was made to this account, agent and conversation. */
export function offerOf({ offers }: ChatTenant, { apiKey, agent, request }: TurnRequest): Offer | undefined {
  if (!isObject(request.interaction)) return undefined
  const offer = offers.get(identity(request.interaction))
  const { conversation } = offer ?? {}
  const here =
    conversation?.account === apiKey.account &&
    conversation.agent === agent.id &&
    (request.conversationId === null || request.conversationId === conversation.id)
  return here ? offer : undefined
}

export function buttonStateOf(offer: Offer | undefined): ButtonState {
  if (!offer) return 'unknown'
  return offer.conversation.current === offer.presentation ? 'current' : 'superseded'
}

/** Null: the button can be pressed. */
export function refuseButton({ rules }: ChatTenant, offer: Offer | undefined): ChatRefusal | null {
  const state = rules.buttonState(buttonStateOf(offer))
  if (state === 'current') return null
  return state === 'unknown' && rules.forged === 'invalid'
    ? refuseChat('INVALID_BODY', 'No presentation offered this interaction; copy one from the latest.')
    : refuseChat('WORKFLOW_INTERACTION_STALE')
}
