/** What a scenario about webhooks can do beside chatting: manage them, receive deliveries, make events happen. */
import type { WebhookEvent } from '../../spec/index.ts'
import type { InboundAnswer } from '../inbound/place.ts'
import type { Certificate } from '../config/target.ts'
import type { Exchange, Header, Json } from '../wire/exchange.ts'
import type { MovingNames } from '../inbound/name-server.ts'
import type { Many, One } from './exchange-names.ts'

/** Selected by webhooks of scenarios that make none happen, so that what others make happen does not come to them. */
export const quietEvent: WebhookEvent = 'procedure.escalated'

/** A request to a management route. What is created by one, whatever the scenario expected, is removed at its end. */
export interface ManageRequest {
  /** Default `POST` where there is a body, else `GET`. */
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `/api/agents/{agent}/webhooks`, such as `/wh_1/logs`. Default: empty, the collection. */
  path?: string
  body?: Json
  raw?: string | Uint8Array
  /** Beside the ordinary ones; a name given here replaces the ordinary one in any casing. */
  headers?: readonly Header[]
  withoutHeaders?: readonly string[]
  /** `session` (default): the signed-in user. The role of a principal: its API key. `null`: nobody. */
  as?: string | null
  agent?: string
  /**
   * Asked again for some seconds as long as this does not hold of a whole answer 2xx: nothing says that what was done
   * shows at once. The last answer counts.
   */
  until?: (answer: Exchange) => boolean
}

/** Members of a creation; what is not given is filled with what any service takes. `null` leaves one out. */
export interface WebhookWish {
  name?: string | null
  events?: readonly string[] | null
  description?: string | null
  custom_headers?: Readonly<Record<string, string>> | null
  /** Whose webhook it is; default: the agent of the scenario. */
  agent?: string
}

export interface Hook {
  id: string
  secret: string
}

/** A place at our receiver. Every request that comes to it is an exchange of the scenario, under its list name. */
export interface Endpoint {
  readonly url: string
  /** The same place under another name of the host, such as `[::ffff:127.0.0.1]`; only for receivers on this machine. */
  at(host: string): string
  readonly count: number
  readonly deliveries: number
  /**
   * Waits on the target's clock until so many have come in all, or so long (default: the timeout of the target
   * file), and resolves with whether they have.
   */
  arrived(count: number, withinMs?: number): Promise<boolean>
  /** The same for `deliveries`. */
  delivered(deliveries: number, withinMs?: number): Promise<boolean>
  /** What is answered from now on: one answer for each request, the last one again and again. */
  script(...answers: readonly InboundAnswer[]): void
  /** From now on the first request of each delivery is answered so, and what comes again of it with `again`, or 200. */
  firstly(answer: InboundAnswer, again?: InboundAnswer): void
  /** Answers what `hold` keeps waiting. */
  release(answer?: InboundAnswer): void
}

/** An endpoint where nothing listens at first. */
export interface ClosedEndpoint extends Endpoint {
  open(): Promise<void>
  /** As `at`, over HTTPS, which nothing here speaks: whoever delivers there gets as far as the handshake. */
  secureAt(host: string): string
  readonly handshakes: number
}

export interface WebhookDriver<N extends string = string> {
  readonly event: WebhookEvent
  /** Whether the target counts as one in development, so that localhost is a place to deliver to. */
  readonly development: boolean
  /** What a session sends that has ended, or that never was: the headers of one, with no credentials that count. */
  endedSession(): readonly Header[]
  /** Whether the target's clock is moved on by the run, so that waiting costs no time. */
  readonly clock: 'real' | 'control'
  readonly privateNames: readonly string[]
  /** Names whose address changes; null where the target asks this run for none. */
  readonly movingNames: MovingNames | null
  manage(name: One<N>, request?: ManageRequest): Promise<Exchange>
  manageMore(name: Many<N>, request?: ManageRequest): Promise<Exchange>
  /**
   * Creates a webhook with this endpoint that has selected the event of the scenario, or what is wished for. Ends the
   * scenario as inconclusive unless it got id and secret.
   */
  webhook(name: One<N>, endpoint: Endpoint | string, wish?: WebhookWish): Promise<Hook>
  webhookMore(name: Many<N>, endpoint: Endpoint | string, wish?: WebhookWish): Promise<Hook>
  /** Opens a place at our receiver. Without a script every request is answered 200. */
  endpoint(name: Many<N>, ...script: readonly InboundAnswer[]): Endpoint
  /**
   * A place where nothing listens until `open` is called, at an address of this machine (default: that of the receiver);
   * null where our receiver is not on this machine. With a certificate it is reached over HTTPS only.
   */
  closedEndpoint(
    name: Many<N>,
    address?: string,
    certificate?: Certificate | null,
  ): Promise<ClosedEndpoint | null>
  /** The agent of each way to an event. */
  agentsOf(event: WebhookEvent): readonly string[]
  /** Makes an event happen to an agent that has a webhook of the scenario; default: the event of the scenario. */
  emit(event?: WebhookEvent, way?: number): Promise<void>
  /** Does what comes near an event, in each way there is here. False where it cannot be had. */
  comeNear(event: WebhookEvent): Promise<boolean>
}
