/** Changes at the edge, to answers that the handlers made. */
import type { Call, ReplyInfo, Reply, StreamEvent } from '../edge/reply.ts'
import type { WebhookDelivery, DeliveryRequest } from '../tenant/webhooks/delivery.ts'

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
