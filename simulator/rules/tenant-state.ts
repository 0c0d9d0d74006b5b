/** One isolated tenant: its data, and the rules by which it answers. */
import type { Interpretations } from '../../spec/index.ts'
import type { Call, Reply, ReplyInfo, StreamEvent } from '../edge/reply.ts'
import type { DeliveryRequest, WebhookDelivery } from '../tenant/webhooks/delivery.ts'
import type { WireStyle } from '../edge/wire.ts'
import type { TenantData } from '../tenant/tenant-data.ts'
import type { ChatRules } from './chat.ts'
import type { OlderRules } from './older.ts'
import type { OperationRules } from './operations.ts'
import type { WebhookRules } from './webhooks.ts'

/** Names of faults and variants: plain strings, because the tables that they are keys of depend on this state. */
export interface ModificationNames {
  faults?: readonly string[]
  variants?: readonly string[]
  interpretations?: Partial<Interpretations>
}

export interface TenantState extends TenantData {
  interpretations: Interpretations
  rules: Rules
  wire: WireStyle
  hooks: readonly Hooks<TenantState>[]
  /** What is turned on of the faults, variants and interpretations, by name. */
  readonly modifications: Readonly<Required<ModificationNames>>
  /** Replaces them; what is not given goes back to the default. Throws on an unknown name, and then changes nothing. */
  deviate(chosen: ModificationNames): void
}

export function hookReply(state: TenantState, reply: Reply, call: Call): Reply {
  return state.hooks.reduce((changed, hook) => hook.reply?.(changed, call, state) ?? changed, reply)
}

export function hookEvents(
  state: TenantState,
  events: AsyncIterable<StreamEvent>,
  about: ReplyInfo,
): AsyncIterable<StreamEvent> {
  return state.hooks.reduce((changed, hook) => hook.events?.(changed, about, state) ?? changed, events)
}

export function hookBytes(
  state: TenantState,
  chunks: AsyncIterable<Uint8Array>,
  about: ReplyInfo,
): AsyncIterable<Uint8Array> {
  return state.hooks.reduce((changed, hook) => hook.bytes?.(changed, about, state) ?? changed, chunks)
}

export function hookDelivery(
  state: TenantState,
  message: DeliveryRequest,
  about: DeliveryAbout,
): DeliveryRequest {
  return state.hooks.reduce((changed, hook) => hook.delivery?.(changed, about, state) ?? changed, message)
}

export interface Rules extends ChatRules, OperationRules, OlderRules, WebhookRules {}

/** Which attempt it is, from 1, of which delivery. */
export interface DeliveryAbout {
  readonly delivery: WebhookDelivery
  readonly attempt: number
}

export interface Hooks<State> {
  /** Changes an answer before it is sent; also sees refusals and replays. `reply.about` describes it. */
  reply?(reply: Reply, call: Call, state: State): Reply
  /** Changes the events of a stream, live or replayed. */
  events?(events: AsyncIterable<StreamEvent>, about: ReplyInfo, state: State): AsyncIterable<StreamEvent>
  /** Changes the request of an attempt before it goes out; also sees retries and tests. */
  delivery?(message: DeliveryRequest, about: DeliveryAbout, state: State): DeliveryRequest
  /** Changes the bytes of a stream. Returning early ends the body cleanly; throwing drops the socket. */
  bytes?(chunks: AsyncIterable<Uint8Array>, about: ReplyInfo, state: State): AsyncIterable<Uint8Array>
}
