/** Receivers of webhooks that harm whoever delivers to them. */
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'

export interface HostileReceivers extends AsyncDisposable {
  readonly urls: readonly string[]
  /** Deliveries and connections that came. */
  readonly met: number
}

/** A delivery is answered so, or not at all. `own`: the address of the simulator. */
const answers = (own: string): Readonly<Record<string, RequestListener>> => ({
  silence: () => undefined,
  drip: (_, response) => {
    const timer = setInterval(() => response.write(' '), 200)
    response.on('close', () => clearInterval(timer))
  },
  redirect: (_, response) => void response.writeHead(307, { location: `${own}/_sim/v1/tenants` }).end(),
  'redirect to itself': ({ headers, url }, response) =>
    void response.writeHead(308, { location: `http://${headers.host}${url}` }).end(),
  '10 MB': (_, response) => void response.writeHead(200).end(Buffer.alloc(10_000_000, 'x')),
  'many headers': (_, response) => {
    const headers = Array.from({ length: 500 }, (__, at) => [`x-${at}`, 'v'.repeat(100)])
    response.writeHead(200, Object.fromEntries(headers)).end()
  },
  reset: ({ socket }) => void socket.resetAndDestroy(),
  garbage: ({ socket }) => void socket.end('this is no HTTP\r\n\r\n'),
  'early end': ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort'),
})

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )

export async function openHostileReceivers(own: string): Promise<HostileReceivers> {
  let met = 0
  const sockets = new Set<Socket>()
  const servers: Server[] = Object.values(answers(own)).map((answer) =>
    createHttpServer((request, response) => {
      response.on('error', () => undefined)
      answer(request, response)
    }),
  )
  // TLS begins and never goes on.
  const silent = createServer()
  for (const server of [...servers, silent])
    server.on('connection', (socket: Socket) => {
      met++
      sockets.add(socket.on('error', () => undefined))
      socket.on('close', () => sockets.delete(socket))
    })
  const urls: string[] = []
  for (const server of servers) urls.push(`http://127.0.0.1:${await listen(server)}/hook`)
  urls.push(`https://127.0.0.1:${await listen(silent)}/hook`)
  return {
    urls,
    get met() {
      return met
    },
    [Symbol.asyncDispose]: async () => {
      for (const server of [...servers, silent]) server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
