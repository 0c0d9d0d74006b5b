/** What each documented route takes and answers, so that an undocumented status or body does not compile. */
import type { OlderStreamEvent, StreamEvent } from './types/asyncapi.ts'
import type { operations as Control } from './types/control.ts'
import type { operations as Service } from './types/openapi.ts'

interface Routes extends Service, Control {}

/** The `operationId` of a route, of the service or of the control document. */
export type RouteId = keyof Routes

/** The events of each route that can answer with a stream. */
interface Streams {
  sendChatMessage: StreamEvent
  sendOlderMessage: OlderStreamEvent
}

type Events<Route> = Route extends keyof Streams
  ? Iterable<Streams[Route]> | AsyncIterable<Streams[Route]>
  : never

type Answer<Route, Status, Content> =
  | (Content extends { 'application/json': infer Body } ? { status: Status; body: Body } : never)
  | (Content extends { 'text/event-stream': string } ? { status: Status; events: Events<Route> } : never)

/** Every documented answer of a route: `{ status, body }`, `{ status, events }`, or `{ status }` without a body. */
export type OperationReply<Route extends RouteId> = {
  [Status in keyof Routes[Route]['responses']]: Routes[Route]['responses'][Status] extends {
    content: infer Content
  }
    ? Answer<Route, Status, Content>
    : { status: Status }
}[keyof Routes[Route]['responses']]

/** The documented JSON body of a request, `never` where a route takes none. */
export type RequestBody<Route extends RouteId> = Routes[Route] extends {
  requestBody: { content: { 'application/json': infer Body } }
}
  ? Body
  : never

/** The documented parameters of a path, such as `{ agentId: string }`. */
export type PathParameters<Route extends RouteId> = Routes[Route]['parameters']['path']
