/** Listens where nothing may arrive, for tests. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Canary {
  /** The same one at 127.0.0.1 and at ::1. */
  readonly port: number
  readonly received: {
    readonly connections: number
    /** Such as `POST /hooks`. */
    readonly requests: readonly string[]
    readonly rawHeaders: readonly (readonly string[])[]
    readonly bodies: readonly string[]
  }
  /** Whether the machine has ::1. */
  readonly hasSix: boolean
  close(): void
}

/** Answers 204; at `/to?<url>` a redirect to that URL. */
export async function openCanary(): Promise<Canary> {
  const received = {
    connections: 0,
    requests: [] as string[],
    rawHeaders: [] as string[][],
    bodies: [] as string[],
  }
  const make = (): Server =>
    createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        received.requests.push(`${request.method} ${request.url}`)
        received.rawHeaders.push(request.rawHeaders)
        received.bodies.push(Buffer.concat(chunks).toString())
        const to = request.url?.startsWith('/to?') ? request.url.slice(4) : null
        response.writeHead(to === null ? 204 : 307, to === null ? {} : { location: to }).end()
      })
    }).on('connection', () => received.connections++)
  const four = make().listen(0, '127.0.0.1')
  await once(four, 'listening')
  const { port } = four.address() as AddressInfo
  const six = make()
  const hasSix = await new Promise<boolean>((settle) => {
    six.once('error', () => settle(false)).listen(port, '::1', () => settle(true))
  })
  const servers = hasSix ? [four, six] : [four]
  return {
    port,
    received,
    hasSix,
    close: () => {
      for (const server of servers) server.close().closeAllConnections()
    },
  }
}
