/** What each named scenario hands out: who is who in it, and what to send to see it. */
import type { WebhookEvent } from '../../spec/index.ts'
import type { Header } from '../http/reply.ts'
import type { JsonObject } from '../json.ts'

/** One request of the story, and what it is answered. */
export interface Step {
  /** What somebody does with it, as a sentence. */
  readonly does: string
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Below the base address. */
  readonly path: string
  readonly headers: readonly Header[]
  readonly body: JsonObject | null
  /** Null: no answer comes. */
  readonly status: number | null
  /** Stands in the headers or the body of the answer. */
  readonly shows: string
  /** The client gives up after so many ms. */
  readonly patienceMs?: number
  /** Asks the control plane, as the owner of the world can. */
  readonly control?: true
}

interface Cast {
  /** A bearer token. */
  readonly apiKey: string
  /** To be sent one after the other, over the wire. */
  readonly steps: readonly Step[]
}

/** A turn that meets the situation. */
export interface TurnCast extends Cast {
  /** Id of the agent. */
  readonly agent: string
  readonly message: string
  readonly idempotencyKey: string
}

export interface PausedCast extends TurnCast {
  readonly conversationId: string
  /** A button that was offered before AI replies were paused. */
  readonly interaction: JsonObject
}

export interface ButtonCast extends TurnCast {
  readonly conversationId: string
  /** Of the presentation before the last. */
  readonly expired: JsonObject
  /** Of the last presentation. */
  readonly current: JsonObject
}

export interface HeldCast extends TurnCast {
  /** Id of the barrier at which the turn is held: `tenant.barriers.find(id)?.release()`. */
  readonly barrier: string
}

export interface OperationCast extends Cast {
  /** Id of the operation. */
  readonly operation: string
  readonly input: JsonObject
  /** The write was asked for with this key; asked again, it gets the same receipt. */
  readonly idempotencyKey: string
}

export interface ApprovalCast extends OperationCast {
  /** Id of the approval, which is pending. */
  readonly approval: string
}

export interface TaskCast extends OperationCast {
  /** Id of the task, which is queued. */
  readonly task: string
}

export interface WebhookCast extends Cast {
  /** Id of the agent whose event it is. */
  readonly agent: string
  /** Id of the webhook. */
  readonly webhook: string
  /** Keys its signatures. */
  readonly secret: string
  readonly endpoint: string
  readonly event: WebhookEvent
}

export interface Casts {
  'paused-conversation': PausedCast
  'expired-button': ButtonCast
  'credits-running-out': TurnCast
  'tool-and-gate': TurnCast
  'slow-turn': HeldCast
  'uncertain-outcome': TurnCast
  'rate-limit': TurnCast
  'webhook-retry': WebhookCast
  approval: ApprovalCast
  'import-task': TaskCast
}
export type ScenarioName = keyof Casts

/** What can be said about a scenario before it is arranged. */
export interface ArrangeOptions {
  /** Where `webhook-retry` delivers to. Default: where `touchstone listen` listens. */
  readonly endpoint?: string
}
