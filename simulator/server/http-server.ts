/** The only place that holds sockets: listens, turns requests into calls, and closes. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as PlainServer, type AddressInfo, type Socket } from 'node:net'
import { readBytes } from './body.ts'
import { headerValue, type Call, type ClientConnection } from './call.ts'
import { createServerConnections, waitingPlace, type ServerConnections } from './connection/connections.ts'
import { limitConnections } from './descriptors.ts'
import type { InFlightLimit } from './in-flight-limit.ts'
import { createOpenAnswers, type OpenAnswer, type OpenAnswers } from './open-answers.ts'
import type { FairTurns } from '../tenant/clock/fair-turns.ts'
import { createTurns } from '../tenant/clock/turns.ts'
import { refuseBytes } from './connection/unreadable.ts'
import type { HeaderLine } from './reply.ts'

// Not imported: an import reads every name of the module, and so loads Node's WebSocket and fetch with it.
const { createServer } = process.getBuiltinModule('node:http')

/** A request whose headers are complete; the body is asked for. */
export interface RequestHead {
  readonly method: string
  readonly path: string
  readonly headers: readonly HeaderLine[]
}

/** Who sent a request, as far as its head says: a tenant, who asks the control plane about one, or who is not known. */
export interface RequestPlace {
  readonly rules: { readonly bodyLimitBytes: number }
  /** Of strangers: whether they are answered by this tenant, whose own requests are not to wait for theirs. */
  isHostedBy?(state: object): boolean
  /** Of those who ask the control plane about one tenant. */
  readonly isControl?: true
}

/** A call whose route is not known yet: its parameters are filled in by who finds it. */
export type Incoming = Omit<Call, 'params'> & { params: Call['params']; readonly place: RequestPlace }

/** Shared by the servers of a simulator. */
export interface ServerCounts {
  calls: number
  sockets: number
}

export interface HttpServerOptions {
  host: string
  port: number
  /** Number of this server in its simulator, from 1. */
  number: number
  /** Requests so far, of all servers. */
  counts: ServerCounts
  /** How long a client may take for its headers, and for its whole request. */
  headersMs: number
  requestMs: number
  /** How long bytes wait at the least for a client that takes none of them. */
  stalledMs: number
  /** Connections at a time. */
  connectionsMost: number
  inFlight: InFlightLimit
  /** Of places, and of clients whose bytes are no request. */
  turns: FairTurns
  placeOf(head: RequestHead): RequestPlace
  /** A request came, whole or with a body too large to be read. */
  answer(call: Incoming, response: ServerResponse): void
  /** The flat JSON body for bytes that are not a request, or came too slowly. */
  unreadable(reason: string): string
  /** What whoever runs it has to know, in a line. */
  notice(line: string): void
}

export interface HttpServer {
  readonly host: string
  readonly port: number
  /** Answers under way, those among them whose last bytes wait for their client. */
  readonly open: number
  readonly draining: boolean
  /** Takes no connection any more; those that are there end with their next answer. */
  drain(): void
  /** Takes no connection any more, and breaks off those that are there. */
  close(): Promise<void>
}

function isSame(raw: readonly string[], headers: readonly HeaderLine[]): boolean {
  return (
    raw.length === 2 * headers.length &&
    headers.every((header, at) => header[0] === raw[2 * at] && header[1] === raw[2 * at + 1])
  )
}

/**
 * From the flat list of Node to lines. A request with the headers of the one before has the same lines, and most have: very
 * many are remembered in journals and by open streams.
 */
function headerReader(): (raw: readonly string[]) => readonly HeaderLine[] {
  let last: readonly HeaderLine[] = []
  return (raw) => {
    if (isSame(raw, last)) return last
    const headers: HeaderLine[] = []
    for (let i = 0; i + 1 < raw.length; i += 2) headers.push([raw[i] ?? '', raw[i + 1] ?? ''])
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

const noParams: Call['params'] = {}
const unread = new Uint8Array()
const ignore = (): void => undefined

/** Whose turns those take who sent too little in time. */
const latePlace = {}

/** What a request that waits for its turn takes in memory, about. */
const waitingBytes = 4_096

function receive(options: HttpServerOptions, connections: ServerConnections, answers: OpenAnswers) {
  const headersOf = headerReader()
  const begin = (request: IncomingMessage, response: ServerResponse, answer: OpenAnswer): void => {
    const { method = '', url = '' } = request
    const headers = headersOf(request.rawHeaders)
    const head = { method, path: url, headers }
    const place = options.placeOf(head)
    const announced = Number(headerValue(head, 'content-length') ?? 0)
    readBytes(request, announced, place.rules.bodyLimitBytes, answer.isOf(place), (read) => {
      if (read.is === 'gone') {
        response.destroy()
        return
      }
      const call = {
        id: ++options.counts.calls,
        connection: answer.connection.number,
        server: options.number,
        method,
        path: url,
        headers,
        body: read.is === 'whole' ? read.bytes : unread,
        tooLarge: read.is !== 'whole',
        noRoom: read.is === 'no-room',
        client: new Listening(response),
        params: noParams,
        place,
      }
      // Its client may have gone while it waited.
      options.turns.run(place, () => void (response.destroyed || options.answer(call, response)))
    })
  }
  return (request: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.of(request.socket)
    // `close` handles socket errors; without a listener they would end the process.
    response.on('error', ignore)
    if (!connection) return void response.destroy()
    if (connection.isOver) return connection.wait(response, ignore)
    const answer = answers.add(response, connection)
    if (connection.isFor(response)) return begin(request, response, answer)
    if (!answer.isOf(waitingPlace).take(waitingBytes)) connection.breakOff()
    connection.wait(response, () => begin(request, response, answer))
  }
}

/** Connections that wait until they are accepted; what comes then is tried again by its client, after seconds. */
const waitingMost = 4_096

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, waitingMost, () => {
      server.off('error', reject)
      resolve(server.address() as AddressInfo)
    })
  })
}

export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { headersMs, requestMs, counts } = options
  // Node accepts one connection in each turn of the event loop.
  const turns = createTurns(() => counts.sockets)
  const ends = createTurns()
  const answers = createOpenAnswers(options.stalledMs, options.inFlight)
  const abandon = (response: ServerResponse): void => answers.abandon(response)
  const { inFlight } = options
  const connections = createServerConnections({ turns, ends, requestMs, abandon, inFlight })
  const server = createServer(
    {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(headersMs, 1_000),
      // Longer than the pools of common clients keep an idle connection, so that none of them loses a race.
      keepAliveTimeout: 120_000,
    },
    receive(options, connections, answers),
  )
  server.on('connection', (socket: Socket) => connections.add(socket, ++counts.sockets))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const connection = connections.of(socket)
    const refuse = (): void => {
      // What is on its way to the client is not mixed with anything.
      if (connection?.current?.headersSent) socket.destroy()
      else refuseBytes(error, socket, (reason) => options.unreadable(reason))
    }
    if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') return refuse()
    // Thousands of connections run out of time in the same moment.
    if (!connection?.excuses()) options.turns.run(latePlace, refuse)
  })
  const { port } = await listen(server, options.host, options.port).catch((error: unknown) => {
    answers.close()
    throw error
  })
  limitConnections(server, options.connectionsMost, (line) => options.notice(line))
  return {
    host: options.host,
    port,
    get open() {
      return answers.size
    },
    get draining() {
      return answers.turnedAway
    },
    drain: () => {
      answers.turnAway()
      // The close of an HTTP server would break off answers whose last bytes still wait for their client.
      PlainServer.prototype.close.call(server)
    },
    close: () =>
      new Promise((resolve) => {
        answers.close()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
