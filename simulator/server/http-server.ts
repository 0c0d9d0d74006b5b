/** The only place that holds sockets: listens, keeps deadlines, and closes. */
import type { ServerResponse } from 'node:http'
import { Server as PlainServer, type AddressInfo, type Socket } from 'node:net'
import { fixedLimits, type SimulatorLimits } from '../limits.ts'
import { afterRealTime } from '../clock/machine-time.ts'
import { createReceiver, type RequestInFlight, type ReceiveOptions } from './receive.ts'
import { withoutKeys } from '../tenant/redacted.ts'

// Not imported: an import reads every name of the module, and so loads Node's WebSocket and fetch with it.
const { createServer } = process.getBuiltinModule('node:http')

export interface HttpServerOptions extends ReceiveOptions {
  readonly host: string
  readonly port: number
  readonly limits: Pick<SimulatorLimits, 'connections' | 'requestMs' | 'stalledMs'>
  /** The flat JSON body for bytes that are not a request, or came too slowly. */
  readonly unreadable: (reason: string) => string
  /** What whoever runs it has to know, in a line. */
  readonly notice: (line: string) => void
}

export interface HttpServer {
  readonly port: number
  /** Answers under way, those among them whose last bytes wait for their client. */
  readonly open: number
  readonly draining: boolean
  /** Takes no connection any more; those that are there end with their next answer. */
  drain(): void
  /** Takes no connection any more, and breaks off those that are there. */
  close(): Promise<void>
}

/** The socket was silent for long. Where nothing waits to be read, that is the turn taking its time. */
function dropStalled(this: ServerResponse): void {
  if (this.writableLength > 0) this.destroy(new Error('the client reads nothing of its answer'))
}

const endsConnection = ({ response }: RequestInFlight): void => {
  if (!response.headersSent) response.shouldKeepAlive = false
}

/**
 * The responses in flight, from the request headers to the last byte sent. Each knows its place: a `Set` makes a table
 * every few requests, and the dead ones hold one another, with all in them, until the next full collection.
 */
function createOpenResponses(stalledMs: number) {
  const open: RequestInFlight[] = []
  const timed = new WeakSet<ServerResponse>()
  let isDraining = false
  // Few answers wait for their client, and so a timer for each of the others is not worth its cost.
  const look = (): void => {
    for (const { response } of open) {
      if (response.writableLength === 0 || timed.has(response)) continue
      timed.add(response)
      response.setTimeout(stalledMs).on('timeout', dropStalled)
    }
    forget = afterRealTime(stalledMs, look)
  }
  let forget = afterRealTime(stalledMs, look)
  return {
    open,
    get isDraining() {
      return isDraining
    },
    add: (received: RequestInFlight): void => {
      received.place = open.push(received) - 1
      if (isDraining) endsConnection(received)
    },
    remove: ({ place }: RequestInFlight): void => {
      const last = open.pop()
      if (last === undefined || last.place === place) return
      open[place] = last
      last.place = place
    },
    drain: (): void => {
      isDraining = true
      open.forEach(endsConnection)
    },
    close: (): void => forget(),
  }
}

/** What is wrong with bytes that node:http cannot read as a request. */
const reasons: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers of the request are too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
}

/** How long a client may take to read the refusal, in ms: an earlier end could take it away unread. */
const lingerMs = 1_000

/** Answers bytes that are no request, or that came too slowly. */
function refuseBytes(
  error: NodeJS.ErrnoException,
  socket: Socket,
  unreadable: HttpServerOptions['unreadable'],
): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const body = unreadable(reasons[error.code ?? ''] ?? 'The bytes received are not an HTTP request.')
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // Whoever goes on sending would keep the connection open: Node reports it once.
  socket.once(
    'close',
    afterRealTime(lingerMs, () => socket.destroy()),
  )
}

/** Connections that wait until they are accepted; what comes then is tried again by its client, after seconds. */
const waitingMost = 4_096

function listen(server: PlainServer, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, waitingMost, () => {
      server.off('error', reject)
      resolve(server.address() as AddressInfo)
    })
  })
}

/** Says once, and then at each tenfold, that there were more clients than there is room for. */
function noticeDrops(server: PlainServer, notice: HttpServerOptions['notice']): void {
  let dropped = 0
  const drop = (why: string): void => {
    if (/^10*$/.test(`${++dropped}`)) notice(`${why}; connections refused so far: ${dropped}`)
  }
  server.on('drop', () =>
    drop(`all ${server.maxConnections} connections are open (allow more with --limit connections=NUMBER)`),
  )
  server.on('error', ({ message }) => drop(`a connection could not be accepted: ${message}`))
}

export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { requestMs, stalledMs, connections } = options.limits
  const responses = createOpenResponses(stalledMs)
  const receiver = createReceiver(options, responses)
  const server = createServer(
    {
      headersTimeout: requestMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(requestMs, 1_000),
      maxHeaderSize: fixedLimits.headerBytes,
      // Longer than the pools of common clients keep an idle connection, so that none of them loses a race.
      keepAliveTimeout: 120_000,
    },
    receiver.receive,
  )
  server.on('connection', receiver.connected)
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // What is on its way to the client is not mixed with anything.
    if (receiver.current(socket)?.headersSent) socket.destroy()
    else refuseBytes(error, socket, options.unreadable)
  })
  const { port } = await listen(server, options.host, options.port).catch((error: unknown) => {
    responses.close()
    throw error
  })
  server.maxConnections = connections
  noticeDrops(server, options.notice)
  return {
    port,
    get open() {
      return responses.open.length
    },
    get draining() {
      return responses.isDraining
    },
    drain: () => {
      responses.drain()
      // The close of an HTTP server would break off answers whose last bytes still wait for their client.
      // Bun's is no server of node:net, and does not.
      if ((server as object) instanceof PlainServer) PlainServer.prototype.close.call(server)
      else server.close()
    },
    close: () =>
      new Promise((resolve) => {
        responses.close()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** What stands in the log of a simulator, and what never does. */
export type Log = (line: string) => void

/** Of a query only that there was one: some clients send credentials in it. `status`: 0 where nothing was answered. */
export function requestLine(method: string, path: string, status: number): string {
  const [place = '', ...query] = path.split('?')
  return `${method} ${place}${query.length > 0 ? '?…' : ''} ${status === 0 ? 'dropped' : status}`
}

/** Takes out keys of every kind, and the control token wherever it got. */
export function redactedLine(log: Log, controlToken: string | undefined): Log {
  return (line) =>
    log(withoutKeys(controlToken === undefined ? line : line.replaceAll(controlToken, '[redacted]')))
}
