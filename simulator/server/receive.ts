/** From a request of node:http to a call: its headers, its body within the limits, and its turn on its connection. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { fixedLimits, type SimulatorLimits } from '../limits.ts'
import {
  headerValue,
  type Call,
  type ClientConnection,
  type HeaderLine,
  jsonReply,
  retryAfter,
  type JsonReply,
  type ReplyInfo,
  safeHeaders,
} from '../edge/reply.ts'
import type { Json } from '../json.ts'
import type { TenantState } from '../rules/tenant-state.ts'

/** What is in flight in a simulator: requests, and the bytes of their bodies and of responses that are not read. */
export class InFlightLimit {
  readonly #limits: Pick<SimulatorLimits, 'openAnswers' | 'openBytes'>
  #answers = 0
  #bytes = 0

  constructor(limits: Pick<SimulatorLimits, 'openAnswers' | 'openBytes'>) {
    this.#limits = limits
  }

  /** False where there is no room; otherwise the request counts until it leaves. */
  enter(): boolean {
    if (this.#answers >= this.#limits.openAnswers || !this.hasRoom()) return false
    this.#answers++
    return true
  }

  leave(): void {
    this.#answers--
  }

  /** Whether there is room for more bytes, however many: what exceeds the limit is no more than one piece. */
  hasRoom(): boolean {
    return this.#bytes < this.#limits.openBytes
  }

  /** Counts `bytes` more; fewer where they are below 0. */
  hold(bytes: number): void {
    this.#bytes += bytes
  }

  /** Counts what waits of a response until it is sent. */
  holdUnread(response: Pick<ServerResponse, 'on' | 'off' | 'writableLength'>): void {
    const bytes = response.writableLength
    if (bytes === 0) return
    this.hold(bytes)
    const release = (): void => {
      response.off('drain', release).off('close', release)
      this.hold(-bytes)
    }
    response.on('drain', release).on('close', release)
  }
}

/** A call whose route is not known yet: its parameters are filled in by who finds it. */
export type Incoming = Omit<Call, 'params'> & { params: Call['params'] }

export interface ReceiveOptions {
  /** Number of this server in its simulator, from 1. */
  readonly number: number
  /** So far, of all servers of the simulator. */
  readonly counts: { calls: number; sockets: number }
  readonly inFlight: InFlightLimit
  /** A request came, whole or with a body too large to be read. */
  readonly answer: (call: Incoming, response: ServerResponse) => void
}

export interface RequestInFlight {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Among those in flight. */
  place: number
  /** Of its body, as far as it is read. */
  bytes: number
}

interface Connection {
  readonly number: number
  /** The first of them is in flight. */
  readonly waiting: RequestInFlight[]
}

function isSame(raw: readonly string[], headers: readonly HeaderLine[]): boolean {
  return (
    raw.length === 2 * headers.length &&
    headers.every((header, at) => header[0] === raw[2 * at] && header[1] === raw[2 * at + 1])
  )
}

/**
 * From the flat list of Node to lines. A line that the request before had, too, is the same one, and most are: very many
 * are remembered in journals and by open streams.
 */
function headerReader(): (raw: readonly string[]) => readonly HeaderLine[] {
  let last: readonly HeaderLine[] = []
  return (raw) => {
    if (isSame(raw, last)) return last
    const headers: HeaderLine[] = []
    for (let i = 0; i + 1 < raw.length; i += 2) {
      const [name = '', value = ''] = [raw[i], raw[i + 1]]
      const before = last[i / 2]
      headers.push(before?.[0] === name && before[1] === value ? before : [name, value])
    }
    last = headers
    return headers
  }
}

/** The client of one response; asked for by few, so it is no more than a view of it. */
class Listening implements ClientConnection {
  readonly #response: ServerResponse
  constructor(response: ServerResponse) {
    this.#response = response
  }
  get gone(): boolean {
    return this.#response.destroyed && !this.#response.writableFinished
  }
  watch(listener: () => void): void {
    const response = this.#response
    if (this.gone) listener()
    else response.once('close', () => void (response.writableFinished || listener()))
  }
}

const nothing = new Uint8Array()

/** Why a body is not read, or its bytes. */
type Body = Uint8Array | 'too-large' | 'no-room'

/** Calls back once, unless the client goes away before the end. `announced`: the Content-Length, 0 when there is none. */
function readBody(
  received: RequestInFlight,
  announced: number,
  inFlight: InFlightLimit,
  done: (body: Body) => void,
): void {
  let chunks: Uint8Array[] = []
  let isSettled = false
  const settle = (body: Body): void => {
    if (isSettled) return
    isSettled = true
    chunks = []
    done(body)
  }
  const { request, response } = received
  // A length that is announced is believed: nothing of such a body has to be read.
  if (announced > fixedLimits.bodyBytes) return settle('too-large')
  request.on('data', (chunk: Uint8Array) => {
    if (isSettled) return
    if (received.bytes + chunk.length > fixedLimits.bodyBytes) return settle('too-large')
    if (!inFlight.hasRoom()) return settle('no-room')
    received.bytes += chunk.length
    inFlight.hold(chunk.length)
    chunks.push(chunk)
  })
  request.on('end', () => settle(chunks.length > 1 ? Buffer.concat(chunks) : (chunks[0] ?? nothing)))
  request.on('close', () => void (isSettled || response.destroy()))
}

const noParams: Call['params'] = {}
/** Of a target in absolute form, which HTTP allows: what matches on paths sees the same path in either form. */
const absoluteStart = /^https?:\/\/([^/?#]*)\/?/i

/**
 * Numbers the connections, and answers the requests of each one after the other, in the order in which they came.
 * `open`: gets each that is in flight from now on, and whatever has ended.
 */
export function createReceiver(
  { number, counts, inFlight, answer }: ReceiveOptions,
  open: Readonly<Record<'add' | 'remove', (received: RequestInFlight) => void>>,
) {
  const headersOf = headerReader()
  const connections = new WeakMap<Socket, Connection>()

  const begin = ({ number: connection, waiting: [first] }: Connection): void => {
    if (!first) return
    const { request, response } = first
    const { method = '', url = '' } = request
    const [start = '', authority] = absoluteStart.exec(url) ?? []
    const path = authority === undefined ? url : `/${url.slice(start.length)}`
    const headers = headersOf(request.rawHeaders)
    const announced = Number(headerValue({ headers }, 'content-length') ?? 0)
    readBody(first, announced, inFlight, (body) => {
      const call = {
        id: ++counts.calls,
        connection,
        server: number,
        method,
        path,
        authority,
        headers,
        body: typeof body === 'string' ? nothing : body,
        tooLarge: typeof body === 'string',
        noRoom: body === 'no-room',
        client: new Listening(response),
        params: noParams,
      }
      answer(call, response)
    })
  }

  return {
    connected: (socket: Socket): void =>
      void connections.set(socket, { number: ++counts.sockets, waiting: [] }),
    current: (socket: Socket): ServerResponse | undefined => connections.get(socket)?.waiting[0]?.response,
    /** For the event `request` of a server. */
    receive: (request: IncomingMessage, response: ServerResponse): void => {
      const { socket } = request
      const connection = connections.get(socket)
      // `close` handles socket errors; without a listener they would end the process.
      response.on('error', () => undefined)
      // One that was refused may go on sending.
      if (!connection || !socket.writable) return void response.destroy()
      const { waiting } = connection
      const received = { request, response, place: 0, bytes: 0 }
      if (waiting.push(received) > fixedLimits.pipelinedRequests) return void socket.destroy()
      open.add(received)
      response.on('close', () => {
        open.remove(received)
        inFlight.hold(-received.bytes)
        waiting.shift()
        if (socket.writable) begin(connection)
      })
      if (waiting.length === 1) begin(connection)
    },
  }
}

/** Answers that no handler gave. */
export const nobody: ReplyInfo = { operation: 'none' }

export const ownCodes = {
  400: 'INVALID_BODY',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  500: 'SERVER_ERROR',
  503: 'UNAVAILABLE',
} as const

export function plainRefusal(
  state: TenantState,
  status: keyof typeof ownCodes,
  words: string,
  headers: readonly HeaderLine[] = [],
): JsonReply {
  const code = ownCodes[status]
  const body: Json = state.rules.errorLayout(state.rules.showsOwnCodes ? code : null, words)
  return jsonReply(status, body, nobody, [...safeHeaders, ...headers])
}

const crowdedWords =
  'Too many requests are in flight, or too many bytes of them: read the responses, and try again when some have ended.'

/** The simulator has as much in flight as it may. */
export const crowdedReply = (state: TenantState): JsonReply =>
  plainRefusal(state, 503, crowdedWords, [retryAfter])
