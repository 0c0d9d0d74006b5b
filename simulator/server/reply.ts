/** A response as plain data; only the server turns it into bytes. */
import type { Json, JsonObject } from '../json.ts'

export type HeaderLine = readonly [name: string, value: string]

/** One event of a chat stream; `type` names it. */
export interface StreamEvent extends JsonObject {
  readonly type: string
}

/** Gets events as they come, without a promise for each. */
export interface Follower {
  /** False: no more for now, until it is resumed. */
  event(event: StreamEvent): boolean
  /** Called once, after the last event; with a reason when it broke off. */
  end(reason?: Error): void
}

/** Events that can be followed, too. What a turn made before comes first, at once. */
export interface EventSource extends AsyncIterable<StreamEvent> {
  /** Call the result to resume a follower that took no more. */
  follow(follower: Follower): () => void
}

/** What an answer is about, for faults, variants and the journal. Never sent. */
export interface ReplyInfo {
  /** `chat`, `health`, … */
  readonly operation: string
  /** Code of a refusal, whether or not it is shown. */
  readonly code?: string
  /** Role of the agent, such as `workflow`, and its id. */
  readonly agent?: string
  readonly agentId?: string
  readonly account?: string
  /** Id of the webhook that a management route is about. */
  readonly webhook?: string
  /** Id of the operation that an execution, a route of its own, a task or an approval is about. */
  readonly operationId?: string
  /** `status` of the receipt of an execution. */
  readonly receipt?: string
  /** Id of the task, or of the approval, that is read. */
  readonly task?: string
  readonly approval?: string
  /** Idempotency key as the client sent it. */
  readonly key?: string
  /** Answered from the record of a completed key. */
  readonly replay?: true
  /** How the first answer to the key went out; on a replay. */
  readonly original?: 'json' | 'stream'
  /** How many replays of this key there were before this one. */
  readonly replays?: number
  /** Requests with the same key that came while the turn ran. */
  readonly duplicates?: number
  /** Stored while AI replies are paused. */
  readonly paused?: true
  /** Pressing a button. */
  readonly interaction?: true
}

export interface JsonReply {
  readonly kind: 'json'
  readonly status: number
  readonly headers: readonly HeaderLine[]
  readonly body: Json
  readonly about: ReplyInfo
  /** Close the connection after it. */
  readonly close?: true
}

export interface StreamReply {
  readonly kind: 'stream'
  readonly status: number
  readonly headers: readonly HeaderLine[]
  readonly events: AsyncIterable<StreamEvent> | EventSource
  readonly about: ReplyInfo
}

/** Bytes as they are; `length` sends a content length where all is known. */
export interface BytesReply {
  readonly kind: 'bytes'
  readonly status: number
  readonly headers: readonly HeaderLine[]
  readonly chunks: AsyncIterable<Uint8Array> | readonly Uint8Array[]
  readonly about: ReplyInfo
}

/** The socket is dropped without an answer. */
export interface DropReply {
  readonly kind: 'drop'
  readonly about: ReplyInfo
}

export type Reply = JsonReply | StreamReply | BytesReply | DropReply

export function jsonReply(
  status: number,
  body: Json,
  about: ReplyInfo,
  headers: readonly HeaderLine[] = [],
): JsonReply {
  return { kind: 'json', status, headers, body, about }
}

/** When a 503 is worth another try, in seconds. */
export const retryAfter: HeaderLine = ['Retry-After', '1']
