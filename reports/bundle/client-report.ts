/** What the record of a run has of a client: its abilities, and what it reported of each step. */
import type { Json } from './json.ts'

export const actions = ['chat', 'stream', 'billing', 'discover', 'execute', 'upload', 'command'] as const
/** `command` is for command lines alone: words that are put behind the command. */
export type Action = (typeof actions)[number]

/** Whom a scenario concerns: any client, the TypeScript library of the contract, or its command line. */
export type Concerned = 'client' | 'library' | 'command-line'

export type Told =
  /** An event of a stream, as the application got it. */
  | { saw: 'event'; event: { [member: string]: Json } }
  /** A reply that is whole. */
  | { saw: 'reply'; reply: { [member: string]: Json } }
  /** The call failed; members as the application got them, such as `code`, `status` and `retryAfterSeconds`. */
  | { saw: 'error'; error: { [member: string]: Json } }
  /** What a read came to: billing, discovery. */
  | { saw: 'result'; result: Json }
  /** The application counts the work as finished; `receipt`, `task` and `approval` as far as it has them. */
  | { saw: 'finished'; receipt?: Json; task?: Json; approval?: Json }
  /** It does not: held for the owner, or left before the end. */
  | { saw: 'unfinished'; receipt?: Json; task?: Json; approval?: Json }

/** How an act of a client came to its end. */
export interface Performance {
  /** `timeout`: it was ended by us, as it took longer than the act may. `lost`: a driver that went away. */
  ended: 'exit' | 'done' | 'timeout' | 'lost'
  /** Null where a signal ended it, or nothing ended at all. */
  exitCode: number | null
  told: readonly Told[]
  /** What a command line printed, cut to 64 KiB each; empty for others. */
  stdout: string
  stderr: string
}
