/** What a stream gives, one by one. */
import { isObject, isText, parsed, type JsonObject } from '../json.ts'
import { camelMembers, type ChatReply } from './reply.ts'

export interface TokenEvent {
  readonly type: 'token'
  readonly token: string
}

export interface ActionStartEvent {
  readonly type: 'action_start'
  readonly actionName: string
}

export interface ActionCompleteEvent {
  readonly type: 'action_complete'
  readonly actionName: string
  readonly success: boolean
}

export interface GateTriggeredEvent {
  readonly type: 'gate_triggered'
  readonly decision: string
  readonly reason: string
}

/** The whole reply, always last. */
export interface DoneEvent extends ChatReply {
  readonly type: 'done'
}

/**
 * Further types may come, and are given as they came, with the names of their members in camelCase: let a `default`
 * pass over what you do not know. An `error` event is none of these: it is thrown as a `ServiceError`.
 */
export type StreamEvent = TokenEvent | ActionStartEvent | ActionCompleteEvent | GateTriggeredEvent | DoneEvent

export interface WireEvent extends JsonObject {
  readonly type: string
}

const eventOf = (text: string): WireEvent | null => {
  const event = parsed(text)
  return isObject(event) && isText(event['type']) ? { ...event, type: event['type'] } : null
}

/**
 * The events of one block. A service that leaves out the empty line between two has both in one block, an object each
 * line. What is no object with a type, such as a sign of life, is passed over.
 */
export function eventsIn(data: string): WireEvent[] {
  const whole = eventOf(data)
  const each = whole || !data.includes('\n') ? [whole] : data.split('\n').map(eventOf)
  return each.filter((event) => event !== null)
}

export const doneOf = (reply: ChatReply): DoneEvent => ({ ...reply, type: 'done' })

/** An event that is neither `done` nor `error`. */
export const givenEvent = (event: WireEvent): StreamEvent => camelMembers(event) as unknown as StreamEvent
