/**
 * A modification is one way in which a simulator differs from the plain one: a fault breaks the contract on
 * purpose, a variant is unusual and still keeps it. Any number can be switched on together; they apply in the
 * order given, each to what the one before it left.
 */
import type { ClauseId, Readings } from '../../spec/index.ts'
import type { Call } from '../server/call.ts'
import type { About, Reply, StreamEvent } from '../server/reply.ts'
import type { WireStyle } from '../server/wire.ts'
import type { Rules } from '../rules.ts'
import type { Delivery, Message } from '../webhooks/delivery.ts'
import type { TenantState } from '../tenant/tenant-state.ts'

/** Which attempt it is, from 1, of which delivery. */
export interface DeliveryAbout {
  readonly delivery: Delivery
  readonly attempt: number
}

/** Changes at the edge, to answers that the handlers made. */
export interface Hooks {
  /** Changes an answer before it is sent; also sees refusals and replays. `reply.about` tells what it is. */
  reply?(reply: Reply, call: Call, state: TenantState): Reply
  /** Changes the events of a stream, live or replayed. */
  events?(events: AsyncIterable<StreamEvent>, about: About, state: TenantState): AsyncIterable<StreamEvent>
  /** Changes the request of an attempt before it goes out; also sees retries and tests. */
  delivery?(message: Message, about: DeliveryAbout, state: TenantState): Message
  /** Changes the bytes of a stream. Returning early ends the body cleanly; throwing drops the socket. */
  bytes?(chunks: AsyncIterable<Uint8Array>, about: About, state: TenantState): AsyncIterable<Uint8Array>
}

export interface Modification extends Hooks {
  title: string
  readings?: Partial<Readings>
  /** Other entries for the rules. Called once per tenant, so that a closure may keep something in mind. */
  rules?(rules: Rules, state: TenantState): Partial<Rules>
  wire?: Partial<WireStyle>
  /** Hooks that keep something in mind: called once per tenant. */
  remember?(state: TenantState): Hooks
}

/** Breaks the clauses it names. */
export interface Fault extends Modification {
  readonly kind: 'fault'
  breaks: readonly ClauseId[]
  /**
   * It shows only now and then: in the exhaustive profile, which looks often enough, what it breaks is seen, and now
   * and then what stands here is seen too.
   */
  chance?: readonly ClauseId[]
  /** It shows only where the simulator has so many doors, which are opened for it. */
  replicas?: number
  /** It shows only on a machine that has such an address. */
  machine?: 'private-address' | 'public-address'
}

/** Conforms all the same; `allowed` says by what. */
export interface Variant extends Modification {
  readonly kind: 'variant'
  allowed: string
  /** Exactly these clauses are warned of: what is done is not ruled out, and is not advisable either. */
  warns?: readonly ClauseId[]
}

export function fault(row: Omit<Fault, 'kind'>): Fault {
  return { kind: 'fault', ...row }
}

export function variant(row: Omit<Variant, 'kind'>): Variant {
  return { kind: 'variant', ...row }
}
