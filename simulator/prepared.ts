/** What each situation returns: ids, keys and the requests to send. */
import type { WebhookEvent } from '../spec/index.ts'
import type { HeaderLine } from './edge/reply.ts'
import type { JsonObject } from './json.ts'

/** One request of a situation, and its expected response. */
export interface PreparedStep {
  /** What happens, as a sentence. */
  readonly does: string
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Below the base URL. */
  readonly path: string
  readonly headers: readonly HeaderLine[]
  readonly body: JsonObject | null
  /** Null: no response. */
  readonly status: number | null
  /** A text in the headers or the body of the response. */
  readonly shows: string
  /** The timeout of the client. */
  readonly timeoutMs?: number
  readonly control?: true
}

interface PreparedSituation {
  /** A bearer token. */
  readonly apiKey: string
  /** Requests to send over HTTP, one after the other. */
  readonly steps: readonly PreparedStep[]
}

/** A turn that runs into the situation. */
export interface TurnSituation extends PreparedSituation {
  /** Id of the agent. */
  readonly agent: string
  readonly message: string
  readonly idempotencyKey: string
}

export interface PausedSituation extends TurnSituation {
  readonly conversationId: string
  /** A button of a presentation from before the pause. */
  readonly interaction: JsonObject
}

export interface ButtonSituation extends TurnSituation {
  readonly conversationId: string
  /** A button of the presentation before the last. */
  readonly expired: JsonObject
  /** A button of the last presentation. */
  readonly current: JsonObject
}

export interface SlowTurnSituation extends TurnSituation {
  /** Id of the barrier that holds the turn: `tenant.barriers.find(id)?.release()`. */
  readonly barrier: string
}

export interface OperationSituation extends PreparedSituation {
  /** Id of the operation. */
  readonly operation: string
  readonly input: JsonObject
  /** The key of the write; the same request gets the same receipt. */
  readonly idempotencyKey: string
}

export interface ApprovalSituation extends OperationSituation {
  /** Id of the pending approval. */
  readonly approval: string
}

export interface TaskSituation extends OperationSituation {
  /** Id of the queued task. */
  readonly task: string
}

export interface WebhookSituation extends PreparedSituation {
  /** Id of the agent of the event. */
  readonly agent: string
  /** Id of the webhook. */
  readonly webhook: string
  /** Its signing secret. */
  readonly secret: string
  readonly endpoint: string
  readonly event: WebhookEvent
}

export interface DuplicateSituation extends WebhookSituation {
  /** Id of the delivery. */
  readonly delivery: string
}

/** A document whose upload is prepared; both steps keep their keys. */
export interface UploadSituation extends PreparedSituation {
  readonly uploadId: string
  readonly prepareKey: string
  readonly finalizeKey: string
  /** The document in base64. */
  readonly bytes: string
  /** Id of the pending approval. */
  readonly approval: string
}

export interface PreparedSituations {
  'paused-conversation': PausedSituation
  'expired-button': ButtonSituation
  'credits-running-out': TurnSituation
  'tool-and-gate': TurnSituation
  'slow-turn': SlowTurnSituation
  'uncertain-outcome': TurnSituation
  'rate-limit': TurnSituation
  'webhook-retry': WebhookSituation
  approval: ApprovalSituation
  'import-task': TaskSituation
  'server-error': TurnSituation
  unavailable: TurnSituation
  'stream-error': TurnSituation
  'unknown-event': TurnSituation
  'idempotency-conflict': TurnSituation
  'revoked-key': TurnSituation
  'missing-scope': TurnSituation
  'plan-forbids': TurnSituation
  'task-needs-input': TaskSituation
  'task-failed': TaskSituation
  'approval-rejected': ApprovalSituation
  'document-upload': UploadSituation
  'upload-lapsed': UploadSituation
  'duplicate-delivery': DuplicateSituation
  'endpoint-paused': WebhookSituation
  'webhook-off': WebhookSituation
}
export type SituationName = keyof PreparedSituations

export interface SituationOptions {
  /** The endpoint of a webhook. Default: the address of `touchstone listen`. */
  readonly endpoint?: string
}
