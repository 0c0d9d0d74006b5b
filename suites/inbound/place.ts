/** One place at the receiver: its requests, answered and pending. */
import type { ServerResponse } from 'node:http'
import type { Clock } from '../wire/clock.ts'
import type { Header } from '../wire/exchange.ts'

interface Pending {
  readonly done: Promise<Answered>
  give(answer: InboundAnswer): void
  release(answer: InboundAnswer): void
  drop(): void
}

type Whole = Exclude<InboundAnswer, string>

/** How often a body without an end gets another byte, so that its connection is not taken for idle. */
const dripMs = 1_000
const text = new TextDecoder()

function createPending(response: ServerResponse, clock: Clock): Pending {
  let went: Pick<Answered, 'status' | 'headers' | 'body'> = { status: null, headers: [], body: '' }
  let held = false
  let droppedByUs = false
  const over = new AbortController()

  const done = new Promise<Answered>((resolve) => {
    const end = (how: Answered['end']): void => {
      over.abort('over')
      resolve({ ...went, at: clock.now(), end: how })
    }
    response.once('finish', () => end('answered'))
    response.once('close', () => end(droppedByUs ? 'closed' : 'gone'))
  })

  /** The connection may be lost already; then `close` reports it. */
  function write({ status, headers = [], body = '' }: Whole, whole: boolean): void {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const sized =
      whole &&
      !(status < 200 || status === 204 || status === 304) &&
      !headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
    const all: readonly Header[] = sized ? [...headers, ['Content-Length', `${bytes.length}`]] : headers
    went = { status, headers: all, body: text.decode(bytes) }
    response.sendDate = false
    response.writeHead(status, all.flat())
    if (whole) response.end(bytes)
    else response.flushHeaders()
  }

  async function drip(): Promise<void> {
    write({ status: 200 }, false)
    while (!over.signal.aborted) {
      response.write(' ')
      await clock.sleep(dripMs, over.signal)
    }
  }

  function drop(): void {
    droppedByUs = true
    response.socket?.resetAndDestroy()
  }

  function give(answer: InboundAnswer): void {
    held = answer === 'hold'
    if (typeof answer === 'object') write(answer, true)
    else if (answer === 'drip') void drip()
    else if (answer === 'close') drop()
  }

  return { done, give, release: (answer) => void (held && give(answer)), drop }
}

const plain: InboundAnswer = { status: 200 }

type Request = Pick<Arrival, 'method' | 'path' | 'headers' | 'body' | 'cut' | 'at'>

export interface OpenInboundPlace {
  readonly place: InboundPlace
  take(request: Request, response: ServerResponse): void
  broke(): void
}

interface PlaceOptions {
  path: string
  clock: Clock
  placeLimit: number
  forgets: boolean
  onArrival: (arrival: Arrival) => void
  /** Called once for each request that is kept no longer, or was not kept. */
  forgotten: (request: Pick<Arrival, 'body'>) => void
  closed: () => void
}

export function createPlace(options: PlaceOptions): OpenInboundPlace {
  const { path, clock, placeLimit, onArrival, forgotten } = options
  const arrivals: Arrival[] = []
  const pending = new Map<number, Pending>()
  const script = createScript()
  let [kept, refused, broken, open] = [0, 0, 0, true]
  const waiters = createWaiters(
    () => kept + refused,
    () => open,
  )

  function keep(request: Request, response: ServerResponse): void {
    const number = (kept += 1)
    const one = createPending(response, clock)
    pending.set(number, one)
    void one.done.then(() => pending.delete(number))
    const arrival = { ...request, number, done: one.done }
    arrivals.push(arrival)
    if (arrivals.length > placeLimit) arrivals.splice(0, 1).forEach(forgotten)
    one.give(script.next(arrival))
    onArrival(arrival)
  }

  function take(request: Request, response: ServerResponse): void {
    if (options.forgets || kept < placeLimit) keep(request, response)
    else {
      refused += 1
      forgotten(request)
      response.writeHead(429).end()
    }
    waiters.look()
  }

  const place: InboundPlace = {
    path,
    arrivals,
    get refused() {
      return refused
    },
    get broken() {
      return broken
    },
    script: (...answers) => script.set(answers),
    release(answer = plain, number) {
      for (const [of, one] of pending) if (number === undefined || of === number) one.release(answer)
    },
    arrived: (count, signal) => waiters.arrived(count, signal),
    close() {
      if (!open) return
      open = false
      options.closed()
      arrivals.forEach(forgotten)
      for (const one of pending.values()) one.drop()
      waiters.look()
    },
  }
  return { place, take, broke: () => void (broken += 1) }
}

function createScript() {
  let answers: readonly Scripted[] = []
  return {
    set: (wanted: readonly Scripted[]) => void (answers = wanted),
    next(arrival: Arrival): InboundAnswer {
      const [next = plain, ...rest] = answers
      if (rest.length > 0) answers = rest
      return typeof next === 'function' ? next(arrival) : next
    },
  }
}

interface Waiters {
  arrived(count: number, signal?: AbortSignal): Promise<boolean>
  /** To be called when a request arrives or the place closes. */
  look(): void
}

function createWaiters(arrived: () => number, isOpen: () => boolean): Waiters {
  const waiting = new Set<() => void>()
  return {
    arrived: (count, signal) =>
      new Promise((resolve) => {
        const look = (): void => {
          const enough = arrived() >= count
          if (!enough && isOpen() && !signal?.aborted) return
          waiting.delete(look)
          signal?.removeEventListener('abort', look)
          resolve(enough)
        }
        waiting.add(look)
        signal?.addEventListener('abort', look)
        look()
      }),
    look() {
      for (const look of waiting) look()
    },
  }
}

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

/** An answer, or how one is chosen. */
type Scripted = InboundAnswer | ((arrival: Arrival) => InboundAnswer)

/** A request as received. Times in milliseconds on the clock passed in. */
export interface Arrival {
  /** Counts from 1 within a place. */
  readonly number: number
  readonly method: string
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
  readonly arrivals: readonly Arrival[]
  /** Requests over the limit of the place: answered 429, and only counted. */
  readonly refused: number
  /** Requests whose sender left in the middle of the body; what they were is not kept. */
  readonly broken: number
  /** From now on one answer for each request, the last one again and again; without any, 200. */
  script(...answers: readonly Scripted[]): void
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
