/** What each documented route takes and answers, so that an undocumented status or body does not compile. */
import type { StreamEvent } from './types/asyncapi.ts'
import type { operations } from './types/openapi.ts'

export type OperationId = keyof operations

/** The events of each route that can answer with a stream. */
interface Streams {
  sendChatMessage: StreamEvent
}

type Events<Op> = Op extends keyof Streams ? Iterable<Streams[Op]> | AsyncIterable<Streams[Op]> : never

type Answer<Op, Status, Content> =
  | (Content extends { 'application/json': infer Body } ? { status: Status; body: Body } : never)
  | (Content extends { 'text/event-stream': string } ? { status: Status; events: Events<Op> } : never)

type Responses<Op extends OperationId> = operations[Op]['responses']

/** Every documented answer of an operation: `{ status, body }`, `{ status, events }`, or `{ status }` without a body. */
export type Reply<Op extends OperationId> = {
  [Status in keyof Responses<Op>]: Responses<Op>[Status] extends { content: infer Content }
    ? Answer<Op, Status, Content>
    : { status: Status }
}[keyof Responses<Op>]

/** The documented JSON body of a request, `never` where an operation takes none. */
export type RequestBody<Op extends OperationId> = operations[Op] extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? Body
  : never
