/** Names of the wire made into names of the library, at the top level: what is inside stays as it came. */
import type { ChatReply as WireReply } from '../../spec/types/openapi.ts'
import { type JsonObject, isObject, isText, parsed } from '../json.ts'
import { limits } from '../../spec/limits.ts'
import { InvalidCall } from '../errors.ts'
import { checkKey, segment, type Resend, type ServiceRequest } from '../http/transport.ts'

/** `ai_reply` says in some way that the reply is paused. */
export type CustomerMessage = NonNullable<WireReply['customer_message']>

/** Messages, buttons, images and media of a Workflow turn, to be shown as far as they are there. */
export type Presentation = NonNullable<WireReply['presentation']>

export interface ChatReply {
  /** Empty where the message was stored while AI replies are paused. */
  readonly response: string
  /** For the next turn of this conversation. */
  readonly conversationId: string
  readonly creditsUsed: number
  readonly creditsRemaining: number
  /** Only where the turn has Workflow content; member names are unchanged. */
  readonly presentation?: Presentation
  /** Only where the message was stored while AI replies are paused; member names are unchanged. */
  readonly customerMessage?: CustomerMessage
  /** Whether this is the answer to an earlier request with the same key: the turn was not run again. */
  readonly replayed: boolean
  /** Diagnostics, under the names that they came with. Nothing may rely on them. */
  readonly [diagnostic: string]: unknown
}

const names: Readonly<Record<string, string>> = {
  conversation_id: 'conversationId',
  credits_used: 'creditsUsed',
  credits_remaining: 'creditsRemaining',
  customer_message: 'customerMessage',
}

/** A diagnostic never takes the place of a member of the contract. */
export function chatReplyOf(body: JsonObject, replayed: boolean): ChatReply {
  const mapped = Object.entries(names)
    .filter(([name]) => Object.hasOwn(body, name))
    .map(([name, own]) => [own, body[name]] as const)
  const others = Object.entries(body).filter(([name]) => !Object.hasOwn(names, name))
  return Object.fromEntries([...others, ...mapped, ['replayed', replayed]]) as unknown as ChatReply
}

const camel = (name: string): string =>
  name.replace(/(?<=[a-zA-Z0-9])_+([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** What a stream gives, one by one. */
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

/** An event that is neither `done` nor `error`. */
export const givenEvent = (event: WireEvent): StreamEvent =>
  Object.fromEntries(
    Object.entries(event).map(([name, value]) => [camel(name), value]),
  ) as unknown as StreamEvent

/** Server-Sent Events as their standard has them: bytes in, the data of whole events out. */
interface EventReader {
  /** Bytes in the order in which they came, cut anywhere. What is left unfinished at the end is no event. */
  push(bytes: Uint8Array): string[]
}

/** The value of a `data` line; null for any other field, and for a comment. */
function dataOf(line: string): string | null {
  const colon = line.indexOf(':')
  if (colon === -1) return line === 'data' ? '' : null
  if (line.slice(0, colon) !== 'data') return null
  return line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
}

/** Takes lines off a text that comes in parts; CR, LF and CR LF end one. */
function createLines(): (text: string) => string[] {
  let begun = ''
  let afterReturn = false
  return (text) => {
    const lines: string[] = []
    let from = afterReturn && text.startsWith('\n') ? 1 : 0
    if (text !== '') afterReturn = false
    // Only what is new is searched, so that a long line costs its length and not the square of it.
    const ends = /\r\n|\r|\n/g
    ends.lastIndex = from
    for (let end = ends.exec(text); end; end = ends.exec(text)) {
      lines.push(begun + text.slice(from, end.index))
      begun = ''
      from = ends.lastIndex
      afterReturn = end[0] === '\r' && from === text.length
    }
    begun += text.slice(from)
    return lines
  }
}

export function createEventReader(): EventReader {
  // The standard takes one mark off the beginning; the decoder keeps it, so that it is taken off once.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const linesOf = createLines()
  let isFirst = true
  let data: string[] = []

  const take = (line: string): string | null => {
    if (line === '') {
      const whole = data.length > 0 ? data.join('\n') : null
      data = []
      return whole
    }
    const value = dataOf(line)
    if (value !== null) data.push(value)
    return null
  }
  return {
    push: (bytes) => {
      const text = decoder.decode(bytes, { stream: true })
      const plain = isFirst && text.startsWith('\ufeff') ? text.slice(1) : text
      if (text !== '') isFirst = false
      return linesOf(plain)
        .map(take)
        .filter((whole) => whole !== null)
    },
  }
}

/** What a chat turn is asked with, checked before anything is sent. */
export interface ChatTurn {
  readonly agentId: string
  /** 1 to 10,000 characters; needed with an interaction too. */
  readonly message: string
  /** 1 to 255 characters, one for each turn: keep it, and send the same again when in doubt. */
  readonly idempotencyKey: string
  /** Of an earlier reply. Absent: a new conversation begins. */
  readonly conversationId?: string | undefined
  /** The button that was chosen, as it was copied from the presentation of the latest turn. */
  readonly interaction?: object | undefined
  readonly signal?: AbortSignal | undefined
  /** Absent: a turn that is in progress is not sent again. */
  readonly resendInProgress?: Resend | undefined
}

/**
 * What counts as a character is the service's business. Here a message is too long only where it is by every count:
 * what a reader takes for a character is one code point at least, and that is one unit at least.
 */
function isTooLong(message: string): boolean {
  const most = limits.messageMaxCharacters
  if (message.length <= most) return false
  let seen = 0
  for (const _ of new Intl.Segmenter().segment(message)) if (++seen > most) return true
  return false
}

function checkMessage(message: unknown): void {
  if (typeof message !== 'string' || message === '')
    throw new InvalidCall(
      '`message` is empty or no text.',
      'Send 1 to 10,000 characters, with an interaction too.',
    )
  if (isTooLong(message))
    throw new InvalidCall(
      `\`message\` has ${message.length} characters, and 10,000 are allowed.`,
      'Shorten it, or send it in several turns.',
    )
}

/** The request of a turn. Throws `InvalidCall` for one that cannot be right. */
export function turnRequestOf(turn: ChatTurn, stream: boolean): ServiceRequest {
  const { agentId, message, idempotencyKey, conversationId, interaction, signal } = turn
  const path = `/api/v1/chat/${segment('agentId', agentId)}`
  checkKey('idempotencyKey', idempotencyKey)
  checkMessage(message)
  if (interaction !== undefined && !isObject(interaction))
    throw new InvalidCall(
      '`interaction` is no object.',
      'Copy the selection as the presentation of the latest turn has it.',
    )
  const body = { message, conversation_id: conversationId, interaction, ...(stream ? { stream } : {}) }
  return {
    method: 'POST',
    path,
    body: JSON.stringify(body),
    idempotencyKey,
    accept: stream ? 'text/event-stream, application/json' : 'application/json',
    signal,
  }
}
