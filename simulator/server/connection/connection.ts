/**
 * One connection: its requests are answered one after the other, as they came. While the first of them is in flight, the
 * others wait with their bodies unread, and once one waits, nothing more is read from the connection.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { afterRealTime } from '../../tenant/clock/machine-time.ts'
import type { Turns } from '../../tenant/clock/turns.ts'
import { createSliceSize } from './slice-size.ts'
import { readInSlices, type Slices } from './slices.ts'

interface Waiting {
  readonly response: ServerResponse
  readonly begin: () => void
}

export interface ServerConnectionOptions {
  /** Of all connections of a server: for requests that waited, and for connections that are broken off. */
  readonly turns: Turns
  readonly ends: Turns
  /** Called for a response that never was in flight. */
  abandon(response: ServerResponse): void
  /** Called while many requests of one connection wait. */
  pipelined(): void
  /** Bytes that are held from now on, or, below 0, are not any more; false where that is too much. */
  hold(bytes: number): boolean
  /** How long a client may take for a whole request, in ms. */
  readonly requestMs: number
}

/** Clients that pipeline have more; others have one at the most, whose answer was about to end. */
const manyWaiting = 16

export class ServerConnection {
  /** Counts from 1 within a simulator. */
  readonly number: number
  readonly #socket: Socket
  readonly #options: ServerConnectionOptions
  #current: ServerResponse | null = null
  /** Null until a request comes too early: few clients pipeline. */
  #waiting: Waiting[] | null = null
  /** The next of them is to have its turn. */
  #isDue = false
  /** A request took too long while nothing was read: its time begins with its turn. */
  #isLate = false
  #isOver = false
  #slices: Slices | null = null
  #held = 0

  constructor(socket: Socket, number: number, options: ServerConnectionOptions) {
    this.#socket = socket
    this.#options = options
    this.number = number
  }

  /** The response in flight; null where there is none. */
  get current(): ServerResponse | null {
    return this.#current
  }

  /** It is about to be broken off: no request that comes now is answered. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** False where another response is in flight. */
  isFor(response: ServerResponse): boolean {
    this.#current ??= response
    return this.#current === response
  }

  /** `begin`: called when it is the turn of this request. */
  wait(response: ServerResponse, begin: () => void): void {
    this.#waiting ??= this.#pipelined()
    // Not before the rest of what came with it is parsed, which would read on.
    if (this.#waiting.push({ response, begin }) === 1) process.nextTick(() => this.#parsed())
  }

  /** From now on, no more than a slice of what comes is parsed at once, or what is of one body. */
  slice(): void {
    if (this.#slices !== null || this.#socket.destroyed) return
    const sliceSize = createSliceSize(() => (this.#waiting?.at(-1)?.response ?? this.#current)?.req)
    this.#slices = readInSlices(this.#socket, sliceSize, () => !this.#waits && !this.#isOver)
  }

  /** Soon: to abort a thousand requests takes 10 ms, and so one connection in each turn of the event loop is broken off. */
  breakOff(): void {
    this.#isOver = true
    this.#options.ends(() => this.#socket.destroy())
  }

  /** The response is closed: the next request has its turn, once other connections have had theirs. */
  ended(response: ServerResponse): void {
    if (this.#current !== response) return
    const next = this.#socket.writable && !this.#isOver ? this.#waiting?.shift() : undefined
    this.#current = next?.response ?? null
    this.#isDue = next !== undefined
    if (next) this.#options.turns(() => this.#begin(next))
    else this.#readOn()
  }

  /** Whether a request that took too long could not be read meanwhile. Node reports each connection once. */
  excuses(): boolean {
    this.#isLate ||= this.#waits
    return this.#isLate
  }

  /** Unless the client went away meanwhile. */
  #begin({ response, begin }: Waiting): void {
    if (this.#current !== response) return
    this.#isDue = false
    if (this.#isLate) this.#end(response)
    begin()
    this.#readOn()
  }

  /** The time of this connection is no longer limited: it ends with the last request that came. */
  #end(response: ServerResponse): void {
    if (this.#waiting?.length === 0) response.shouldKeepAlive = false
    if (response.req.complete) return
    const forget = afterRealTime(this.#options.requestMs, () => this.#socket.destroy())
    response.req.once('end', forget).once('close', forget)
  }

  #pipelined(): Waiting[] {
    const waiting: Waiting[] = []
    // Node aborts each of them with an error, whose stack costs more than the request: 100 ms for a thousand.
    let { stackTraceLimit } = Error
    this.#socket.prependListener('close', () => {
      stackTraceLimit = Error.stackTraceLimit
      Error.stackTraceLimit = 0
      // One that is aborted already makes no text of its stack.
      for (const { response } of waiting) response.req.destroy()
    })
    // The HTTP server of Node reads on whenever it has written, or parsed a request.
    this.#socket.on('resume', () => this.#readOnlyIfIdle())
    this.#socket.on('close', () => {
      Error.stackTraceLimit = stackTraceLimit
      this.#hold(0)
      for (const { response } of waiting.splice(0)) this.#options.abandon(response)
    })
    return waiting
  }

  get #waits(): boolean {
    return this.#waiting !== null && (this.#isDue || this.#waiting.length > 0)
  }

  #parsed(): void {
    this.#readOnlyIfIdle()
    if (!this.#hold(this.#slices?.held ?? 0)) this.breakOff()
    if (this.#waiting && this.#waiting.length >= manyWaiting) this.#options.pipelined()
  }

  #readOnlyIfIdle(): void {
    if (this.#waits) this.#socket.pause()
  }

  #hold(bytes: number): boolean {
    const more = bytes - this.#held
    this.#held = bytes
    return more === 0 || this.#options.hold(more)
  }

  #readOn(): void {
    if (this.#waiting === null || this.#waits || this.#isOver || this.#socket.destroyed) return
    this.#hold(0)
    if (this.#slices) this.#slices.readOn()
    else this.#socket.resume()
  }
}
