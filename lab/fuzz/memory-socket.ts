/** Connections to an HTTP server of this process without kernel sockets, but with the same parser and server. */
import { channel } from 'node:diagnostics_channel'
import type { Server } from 'node:http'
import { Duplex } from 'node:stream'

/** What a server of ours is, found by asking it once: nobody hands it out. */
export async function serverBehind(url: string): Promise<Server> {
  let found: Server | undefined
  const seen = channel('http.server.request.start')
  const look = (message: unknown): void => {
    const { server } = message as { server: Server }
    const address = server.address()
    if (typeof address === 'object' && address?.port === Number(new URL(url).port)) found = server
  }
  seen.subscribe(look)
  await (await fetch(url)).arrayBuffer()
  seen.unsubscribe(look)
  if (!found) throw new Error(`no server of this process answers at ${url}`)
  return found
}

/** What HTTP servers ask of a socket beside being a stream: of time and of the process it has nothing to do with. */
class MemorySocket extends Duplex {
  readonly remoteAddress = '127.0.0.1'
  readonly remotePort = 1
  readonly said: Buffer[] = []
  readonly setTimeout = (): this => this
  readonly setNoDelay = this.setTimeout
  readonly setKeepAlive = this.setTimeout
  readonly ref = this.setTimeout
  readonly unref = this.setTimeout
  readonly destroySoon = (): void => void this.end()
  constructor() {
    super({ allowHalfOpen: true, autoDestroy: false, highWaterMark: 1 << 26 })
  }
  override _read(): void {}
  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.said.push(chunk)
    done()
  }
}

export interface Received {
  /** Whatever came, as Latin-1. */
  readonly text: string
  /** The server closed, or said it would say no more; else we went away. */
  readonly ended: boolean
}

/** `timeoutMs`: how long the server may take before we close our side; null: until it closes. */
export function say(server: Server, bytes: Uint8Array, timeoutMs: number | null): Promise<Received> {
  const socket = new MemorySocket()
  return new Promise((resolve) => {
    let ended = true
    let timer: NodeJS.Timeout | undefined
    const settle = (): void => {
      clearTimeout(timer)
      resolve({ text: Buffer.concat(socket.said).toString('latin1'), ended })
      socket.destroy()
    }
    socket.once('finish', settle).once('close', settle).on('error', settle)
    server.emit('connection', socket)
    socket.push(bytes)
    if (timeoutMs === null) return
    const leave = (): void => {
      ended = false
      socket.push(null)
      // A server that neither answers nor closes is left, too.
      timer = setTimeout(settle, 200)
    }
    if (timeoutMs === 0) setImmediate(() => setImmediate(leave))
    else timer = setTimeout(leave, timeoutMs)
  })
}
