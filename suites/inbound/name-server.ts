/** A name server of one zone, over UDP. */
import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { ConfigurationError } from '../config/configuration-error.ts'
import { dnsReply } from './dns-reply.ts'
import { createNames, type NameTable } from './names.ts'

export interface NameServer {
  readonly names: NameTable
  /** Where it listens, such as 127.0.0.1:5300. */
  readonly address: string
  close(): Promise<void>
}

export interface NameServerOptions {
  zone: string
  host: string
  /** 0: any free port. */
  port: number
}

/** Throws a ConfigurationError where it cannot listen. */
export async function createNameServer({ zone, host, port }: NameServerOptions): Promise<NameServer> {
  const names = createNames(zone)
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  socket.on('message', (packet, { address, port: from }) => {
    const reply = dnsReply(packet, names)
    // No reply can be sent to port 0, which only a forged sender has.
    if (reply && from > 0) socket.send(reply, from, address, ignore)
  })
  await bind(socket, host, port)
  const own = socket.address()
  return {
    names,
    address: `${isIPv6(host) ? `[${own.address}]` : own.address}:${own.port}`,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

const ignore = (): void => undefined

/** What to do about an address that cannot be listened on. */
const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something listens there already; give another port',
  EACCES: 'this user may not listen there; give a port above 1023',
  EADDRNOTAVAIL: 'this machine has no such address; give another host',
}

/** The listener for errors stays: one that comes later is none to die of. */
function bind(socket: Socket, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const why = advice[error.code ?? ''] ?? `${error.message}; give another host or port`
      reject(new ConfigurationError(`cannot answer name look-ups on ${host}, port ${port}: ${why}.`))
    })
    socket.bind(port, host, resolve)
  })
}
