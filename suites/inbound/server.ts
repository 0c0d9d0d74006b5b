/** Listens for what a target delivers, and finds the place of each request. */
import type { EventEmitter } from 'node:events'
import {
  createServer,
  type RequestListener,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { ConfigurationError } from '../config/target.ts'
import type { Header } from '../wire/exchange.ts'
import { type Inbox, type InboxOptions, createPlace, type OpenInboundPlace } from './place.ts'

interface Read {
  readonly bytes: Uint8Array
  /** There was more than is kept. */
  readonly cut: boolean
}

interface Room {
  /** How many of so many bytes may be kept; they are taken. */
  take(bytes: number): number
  give(bytes: number): void
}

function createRoom(most: number): Room {
  let left = most
  return {
    take(bytes) {
      const taken = Math.min(bytes, left)
      left -= taken
      return taken
    },
    give: (bytes) => void (left += bytes),
  }
}

/** What goes on for longer than this has no end: many times what is kept, and more pieces than bytes of a delivery. */
const most = { times: 8, pieces: 100_000 }

/** Calls back once: with what was read, or with null where the sender left before the end, or where there is none. */
function readInboundBody(
  request: IncomingMessage,
  limit: number,
  room: Room,
  done: (read: Read | null) => void,
): void {
  const body = growing(limit, room)
  let [ended, length, pieces] = [false, 0, 0]
  request.on('data', (chunk: Buffer) => {
    body.add(chunk)
    length += chunk.length
    if (length > most.times * limit || ++pieces > most.pieces) request.destroy()
  })
  request.on('end', () => {
    ended = true
    const bytes = body.bytes()
    done({ bytes, cut: length > bytes.byteLength })
  })
  request.on('error', () => undefined)
  request.on('close', () => {
    if (ended) return
    room.give(body.bytes().byteLength)
    done(null)
  })
}

/** Bytes in one piece: a body may come in as many pieces as it has bytes, each of which would be an object. */
function growing(limit: number, room: Room) {
  let [buffer, length] = [Buffer.alloc(0), 0]
  return {
    add(chunk: Buffer): void {
      const kept = room.take(Math.min(chunk.length, limit - length))
      if (length + kept > buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(2 * buffer.length, length + kept))
        buffer.copy(larger)
        buffer = larger
      }
      length += chunk.copy(buffer, length, 0, kept)
    },
    bytes: (): Uint8Array => buffer.subarray(0, length),
  }
}

/** Senders of one target, with a connection to each place. Each is an open file of this process. */
const mostConnections = 500

/** Throws a ConfigurationError where it cannot listen. */
export async function createInbox(options: InboxOptions): Promise<Inbox> {
  const { clock, host = '127.0.0.1', port = 0, bodyLimit = 1_048_576, placeLimit = 1_000 } = options
  const forgets = options.beyondLimit === 'forget'
  const room = createRoom(options.keptLimit ?? (forgets ? 256 << 20 : 32 << 20))
  const places = new Map<string, OpenInboundPlace>()
  let [strays, handshakes] = [0, 0]

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const at = clock.now()
    // A broken socket is reported by `close`; without a listener its error would end the process.
    response.on('error', ignore)
    readInboundBody(request, bodyLimit, room, (read) => {
      const { method = '', url: path = '' } = request
      const place = placeOf(path, places)
      if (read === null) return place?.broke()
      const { bytes: body, cut } = read
      if (place)
        return place.take({ method, path, headers: pairs(request.rawHeaders), body, cut, at }, response)
      strays += 1
      room.give(body.byteLength)
      response.writeHead(404).end()
    })
  }

  const server = serverFor(options.certificate ?? null, receive)
  server.maxConnections = mostConnections
  watchHandshakes(server, options, () => (handshakes += 1))
  const address = await listen(server, host, port)
  return {
    host,
    port: address.port,
    open(path, onArrival = ignore) {
      const key = withoutSlash(path)
      if (places.has(key))
        throw new Error(`the place ${path} is open already: close it, or take another path.`)
      const place = createPlace({
        path,
        clock,
        placeLimit,
        forgets,
        onArrival,
        forgotten: ({ body }) => room.give(body.byteLength),
        closed: () => places.delete(key),
      })
      places.set(key, place)
      return place.place
    },
    get strays() {
      return strays
    },
    get handshakes() {
      return handshakes
    },
    async close() {
      for (const { place } of places.values()) place.close()
      if (!server.listening) return
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

function serverFor(certificate: InboxOptions['certificate'], receive: RequestListener): Server {
  const options = { keepAliveTimeout: idleMs }
  return certificate
    ? createSecureServer({ ...certificate, ...options }, receive)
    : createServer(options, receive)
}

/** Calls `begun` for each connection that began with a TLS handshake, whether it is gone on with or not. */
function watchHandshakes(server: Server, { certificate, onGarbage }: InboxOptions, begun: () => void): void {
  // The client may be gone before the handshake ends on this side; one that sent nothing has begun nothing.
  const closed = ({ bytesRead }: Socket): void => void (bytesRead > 0 && begun())
  if (certificate) server.on('connection', (socket: Socket) => socket.once('close', () => closed(socket)))
  server.on('clientError', ({ code, rawPacket }: ClientError, socket: Socket) => {
    if (!socket.writable || code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    const isTls = rawPacket?.[0] === handshake
    if (isTls) begun()
    onGarbage?.(isTls ? 'tls' : 'unknown')
  })
}

/** Longer than the pools of common clients keep an idle connection, so that none of them loses a race. */
const idleMs = 120_000
const ignore = (): void => undefined

interface ClientError extends NodeJS.ErrnoException {
  rawPacket?: Buffer
}

const handshake = 0x16

/** The place with most of the path, by whole segments. Costs no more for a path of thousands of them. */
function placeOf(
  target: string,
  places: ReadonlyMap<string, OpenInboundPlace>,
): OpenInboundPlace | undefined {
  const [path = ''] = target.replace(/^https?:\/\/[^/?]*/i, '').split('?')
  const whole = `${withoutSlash(path)}/`
  const holding = [...places.keys()].filter((key) => whole.startsWith(`${key}/`))
  const [longest] = holding.toSorted((one, other) => other.length - one.length)
  return longest === undefined ? undefined : places.get(longest)
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}

function pairs(raw: readonly string[]): readonly Header[] {
  const headers: Header[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) headers.push([raw[i] ?? '', raw[i + 1] ?? ''])
  return headers
}

async function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  await listening(server, `receive on ${host}, port ${port}`, (done) => server.listen(port, host, done))
  return server.address() as AddressInfo
}

const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something listens there already; give another port, or 0 for any free one',
  EACCES: 'this user may not listen there; give a port above 1023',
  EADDRNOTAVAIL: 'this machine has no such address; give another host',
  ENOTFOUND: 'there is no such host; give another one',
}

/** Throws a ConfigurationError where it cannot. The listener for errors stays: one that comes later is none to die of. */
export function listening(
  on: Pick<EventEmitter, 'on'>,
  what: string,
  begin: (done: () => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    on.on('error', (error: NodeJS.ErrnoException) => {
      const why = advice[error.code ?? ''] ?? `${error.message}; give another host or port`
      reject(new ConfigurationError(`cannot ${what}: ${why}.`))
    })
    begin(resolve)
  })
}
