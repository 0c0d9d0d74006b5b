/** What a run records about a client: its kind, its actions, and the result of each step. */
import type { Json } from './json.ts'

export const actions = ['chat', 'stream', 'billing', 'discover', 'execute', 'upload', 'command'] as const
/** `command` is for command lines only: the arguments of one command. */
export type Action = (typeof actions)[number]

/** Any client, the TypeScript library of the contract, or its command line. */
export type ClientKind = 'client' | 'library' | 'command-line'

/** One line `touchstone {"saw":…}` on stdout. What an application does not report is not judged. */
export type ClientReport =
  /** A stream event, as the application received it. */
  | { saw: 'event'; event: { [member: string]: Json } }
  | { saw: 'reply'; reply: { [member: string]: Json } }
  /** The call failed; members as the application has them, such as `code`, `status` and `retryAfterSeconds`. */
  | { saw: 'error'; error: { [member: string]: Json } }
  /** The result of a read: billing, discovery. */
  | { saw: 'result'; result: Json }
  /** The application treats the work as finished; `receipt`, `task` and `approval` as far as it has them. */
  | { saw: 'finished'; receipt?: Json; task?: Json; approval?: Json }
  /** It does not: waiting for approval, or given up. */
  | { saw: 'unfinished'; receipt?: Json; task?: Json; approval?: Json }

export interface StepResult {
  /** `timeout`: stopped at the time limit of the step. `lost`: the driver exited. */
  ended: 'exit' | 'done' | 'timeout' | 'lost'
  /** Null if a signal ended the process, or no process ended. */
  exitCode: number | null
  reported: readonly ClientReport[]
  /** What the task was completed with: what was prepared, or reported in the previous step. */
  given?: { conversationId?: string; interaction?: Json; idempotencyKey?: string }
  /** Output of a command line, at most 64 KiB each; empty for others. */
  stdout: string
  stderr: string
}
