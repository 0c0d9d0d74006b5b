/** Everything the library throws of its own. Each says what went wrong, and in `advice` what to do about it. */
import type { JsonObject } from './json.ts'
import type { TaskState } from '../spec/types/openapi.ts'

/** A service may have given the advice itself. */
const said = (what: string, advice: string): string => (what.includes(advice) ? what : `${what} ${advice}`)

/** A call that cannot be right. Nothing was sent. */
export class InvalidCall extends TypeError {
  override readonly name: string = 'InvalidCall'
  readonly advice: string

  constructor(what: string, advice: string) {
    super(said(what, advice))
    this.advice = advice
  }
}

export interface RefusalDetails {
  readonly status: number
  readonly code: string | null
  readonly advice: string
  /** What the service says in words, as far as it does. */
  readonly words: string | null
  readonly body: unknown
  readonly retryAfterSeconds?: number | undefined
  readonly creditsRequired?: number | undefined
  readonly creditsRemaining?: number | undefined
}

/** The service refused, or failed, and said so. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError'
  /** Of HTTP. 200 where a turn failed after its stream had begun. */
  readonly status: number
  /** Such as `IDEMPOTENCY_CONFLICT`; null where the service gave none. */
  readonly code: string | null
  readonly advice: string
  /** As it came: JSON where it was JSON, else text. */
  readonly body: unknown
  /** With a 429, and wherever else the service says how long to wait. */
  readonly retryAfterSeconds: number | undefined
  /** With a 402, where the service knows. */
  readonly creditsRequired: number | undefined
  readonly creditsRemaining: number | undefined

  constructor(refusal: RefusalDetails) {
    const { status, code, words, advice } = refusal
    const what = [String(status), ...(code === null ? [] : [code])].join(' ')
    const sentence = words === null ? what : `${what}: ${words}`
    super(said(/[.!?]$/.test(sentence) ? sentence : `${sentence}.`, advice))
    this.status = status
    this.code = code
    this.advice = advice
    this.body = refusal.body
    this.retryAfterSeconds = refusal.retryAfterSeconds
    this.creditsRequired = refusal.creditsRequired
    this.creditsRemaining = refusal.creditsRemaining
  }
}

/** No answer came that can be read: whether the work was done is not known. */
export class NoAnswer extends Error {
  override readonly name: string = 'NoAnswer'
  readonly advice: string

  constructor(what: string, advice: string, cause?: unknown) {
    super(said(what, advice), cause === undefined ? undefined : { cause })
    this.advice = advice
  }
}

/** An answer came that has nothing at the places where the dialect looks for it. */
export class UnknownShape extends NoAnswer {
  override readonly name: string = 'UnknownShape'
}

/** A stream ended before `done`: what came of it so far is no reply. */
export class StreamIncomplete extends NoAnswer {
  override readonly name: string = 'StreamIncomplete'
}

export interface TaskRecord {
  readonly id: string
  /** One of the contract's; a service may have others, which are not final. */
  readonly state: TaskState | (string & {})
  /** Completed, failed or cancelled: nothing comes any more. */
  readonly isFinal: boolean
  /** The record as it came. */
  readonly body: JsonObject
}

/** A task had not come to its end when the time to wait for it was over. It goes on. */
export class TaskNotFinished extends Error {
  override readonly name: string = 'TaskNotFinished'
  readonly advice: string
  /** As it was read last. */
  readonly task: TaskRecord

  constructor(what: string, advice: string, task: TaskRecord) {
    super(said(what, advice))
    this.advice = advice
    this.task = task
  }
}
