/** The harness receiver: takes what a target delivers, answers by script, and keeps the raw bytes with their times. */
import type { Clock } from '../wire/clock.ts'
import type { Header } from '../wire/exchange.ts'

/**
 * What is answered to one request. A status at once, `hold`: not before `release`; `hang`: never; `close`: the
 * socket is dropped without an answer; `drip`: the status at once, and of the body no end.
 */
export type InboundAnswer =
  | { readonly status: number; readonly headers?: readonly Header[]; readonly body?: string | Uint8Array }
  | 'hold'
  | 'hang'
  | 'close'
  | 'drip'

/** A request as received. Times in milliseconds on the clock passed in. */
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
  /** What went out, or null. Of the headers, those that Node writes by itself (`connection`) are not listed. */
  readonly status: number | null
  readonly headers: readonly Header[]
  readonly body: string
  /** When the answer had gone out, or the connection ended. */
  readonly at: number
  /** `answered`; `gone`: the sender closed the connection before an answer; `closed`: we did, on purpose. */
  readonly end: 'answered' | 'gone' | 'closed'
}

export interface InboundPlace {
  readonly path: string
  /** The oldest first. */
  readonly arrivals: readonly Arrival[]
  /** Requests over the limit of the place: answered 429, and only counted. */
  readonly refused: number
  /** Requests whose sender left in the middle of the body; what they were is not kept. */
  readonly broken: number
  /** From now on one answer for each request, the last one again and again; without any, 200. */
  script(...answers: readonly InboundAnswer[]): void
  /** Answers what `hold` keeps waiting, or of it the arrival with this number; default 200. */
  release(answer?: InboundAnswer, number?: number): void
  /** Resolves with true once so many have come in all; with false when the signal fires or the place closes before. */
  arrived(count: number, signal?: AbortSignal): Promise<boolean>
  /** What is unanswered is dropped; requests that come later are strays. */
  close(): void
}

export interface Inbox {
  readonly host: string
  readonly port: number
  /**
   * Requests to this path and below are of this place, unless another one has more of their path. `onArrival` is
   * called with each as its body is complete. Throws for a path that is open already.
   */
  open(path: string, onArrival?: (arrival: Arrival) => void): InboundPlace
  /** The number of requests to no place; they are not stored. */
  readonly strays: number
  /** Connections that began with a TLS handshake, which is gone on with only where there is a certificate. */
  readonly handshakes: number
  /** Ends at once: places close, and every connection with them. */
  close(): Promise<void>
}

export interface InboxOptions {
  clock: Clock
  /** Default 127.0.0.1. */
  host?: string
  /** Default 0: any free port. */
  port?: number
  /** Speaks HTTPS with this certificate; default: plain HTTP. */
  certificate?: { cert: string; key: string } | null
  /** Bytes of a body that are kept; default 1 MiB. */
  bodyLimit?: number
  /** Bytes of all bodies in open places; what is more is cut. Default 32 MiB, where the oldest is let go 256 MiB. */
  keptLimit?: number
  /** Requests of a place that are kept. Default 1,000. */
  placeLimit?: number
  /** Beyond it: `refuse` (default) answers 429 and only counts; `forget` lets go of the oldest, for long listening. */
  beyondLimit?: 'refuse' | 'forget'
  /** Called when bytes come that are no HTTP request; `tls`: they look like the beginning of TLS. They are answered 400. */
  onGarbage?: (is: 'tls' | 'unknown') => void
}
