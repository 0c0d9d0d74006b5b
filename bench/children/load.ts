/**
 * Sends requests to one server as fast as it responds, over warm connections with one request in flight each. It is
 * minimal, because on two cores an expensive client would limit the result. Every request has its own idempotency key.
 */
import { connect, type Socket } from 'node:net'

export interface Load {
  readonly port: number
  readonly path: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** JSON with `mark` in place of the idempotency key. */
  readonly body: string
  /** Has the length of a key: `bench-` and twelve digits. */
  readonly mark: string
  readonly connections: number
  /** How long new requests are sent. */
  readonly ms: number
}

export interface Loaded {
  readonly rate: number
  /** In ms, of the slowest hundredth. */
  readonly p99: number
}

/** Unique within and across processes. */
let keys = process.pid * 1e6

/** Every request is a copy, since all connections share the bytes. */
function requestsOf({ port, path, headers, body, mark }: Load): () => Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
  const at = bytes.indexOf(mark)
  return () => {
    bytes.write(`bench-${String((keys += 1)).padStart(12, '0')}`, at, 'latin1')
    return Buffer.from(bytes)
  }
}

const chunkedEnd = '0\r\n\r\n'

/** Calls back with the status at the end of each response; the framing of the servers is known to be correct. */
function responseReader(ended: (status: number) => void): (text: string) => void {
  let head = ''
  /** Of the body; `Infinity` until the last chunk, null before the head has come. */
  let left: number | null = null
  let tail = ''
  return (text) => {
    let body = text
    if (left === null) {
      head += text
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return
      left = Number(/\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end))?.[1] ?? Infinity)
      body = head.slice(end + 4)
    }
    left -= body.length
    tail = `${tail}${body}`.slice(-chunkedEnd.length)
    if (left > 0 && !(left === Infinity && tail === chunkedEnd)) return
    const status = Number(head.slice(9, 12))
    head = tail = ''
    left = null
    ended(status)
  }
}

function dial(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.setEncoding('latin1').once('error', reject)
  })
}

function sendRequests(socket: Socket, next: () => Buffer, until: number, times: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let began = 0
    const send = (): void => {
      began = performance.now()
      socket.write(next())
    }
    const ended = (status: number): void => {
      if (status !== 200)
        return reject(new Error(`got status ${status}, so the figures would be meaningless`))
      const now = performance.now()
      times.push(now - began)
      if (now >= until) resolve()
      else send()
    }
    socket.on('data', responseReader(ended))
    socket.on('close', () => reject(new Error('the server closed a connection during the measurement')))
    send()
  })
}

async function load(wanted: Load): Promise<Loaded> {
  const sockets: Socket[] = []
  while (sockets.length < wanted.connections) sockets.push(await dial(wanted.port))
  try {
    const next = requestsOf(wanted)
    const times: number[] = []
    const began = performance.now()
    await Promise.all(sockets.map((socket) => sendRequests(socket, next, began + wanted.ms, times)))
    const rate = (1_000 * times.length) / (performance.now() - began)
    return { rate, p99: times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

process.on('disconnect', () => process.exit())
process.on('message', (wanted: Load) => {
  load(wanted).then(
    (loaded) => process.send?.(loaded),
    (reason: unknown) => process.send?.({ failed: String(reason) }),
  )
})
process.send?.('ready')
