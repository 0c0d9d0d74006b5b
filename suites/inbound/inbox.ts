/** The harness receiver: takes what a target delivers, answers by script, and keeps the raw bytes with their times. */
import type { Clock } from '../wire/clock.ts'
import type { Header } from '../wire/exchange.ts'

/**
 * What is answered to one request. A status at once, `hold`: not before `release`; `hang`: never; `close`: the
 * socket is dropped without an answer; `drip`: the status at once, and of the body no end.
 */
export type Answer =
  | { readonly status: number; readonly headers?: readonly Header[]; readonly body?: string }
  | 'hold'
  | 'hang'
  | 'close'
  | 'drip'

/** A request as it came. Times in milliseconds on the clock handed in. */
export interface Arrival {
  /** Counts from 1 within a place. */
  readonly number: number
  readonly method: string
  /** Path and query as received. */
  readonly path: string
  /** In the order and casing received. */
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  /** The body was larger than is kept. */
  readonly cut: boolean
  /** When its headers were complete. */
  readonly at: number
  /** Resolves once it was answered, or the sender or we went away. */
  readonly done: Promise<Answered>
}

export interface Answered {
  /** What went out, or null. */
  readonly status: number | null
  readonly headers: readonly Header[]
  readonly body: string
  /** When the answer had gone out, or the connection ended. */
  readonly at: number
  /** `answered`; `gone`: the sender closed the connection before an answer; `closed`: we did, on purpose. */
  readonly end: 'answered' | 'gone' | 'closed'
}

export interface Place {
  readonly path: string
  readonly arrivals: readonly Arrival[]
  script(...answers: readonly Answer[]): void
  /** Answers what `hold` keeps waiting; default 200. */
  release(answer?: Answer): void
  /** Resolves when so many have come in all, or the signal fires. */
  arrived(count: number, signal?: AbortSignal): Promise<boolean>
  close(): void
}

export interface Inbox {
  readonly host: string
  readonly port: number
  /** Requests to this path and below are of this place. `onArrival` is called with each as its body is complete. */
  open(path: string, onArrival?: (arrival: Arrival) => void): Place
  /** Requests that came to no place; what they were is not kept. */
  readonly strays: number
  close(): Promise<void>
}

export interface InboxOptions {
  clock: Clock
  /** Default 127.0.0.1. */
  host?: string
  /** Default 0: any free port. */
  port?: number
  /** Bytes of a body that are kept; default 1 MiB. */
  bodyLimit?: number
  /** Requests of a place that are kept; more are answered 429 and only counted. Default 1,000. */
  placeLimit?: number
}
