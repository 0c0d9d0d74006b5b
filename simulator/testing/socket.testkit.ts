/** Raw sockets against a simulator: what is written is exactly what goes out. */
import { connect, type Socket } from 'node:net'
import type { Simulator } from '../index.ts'

export interface Received {
  /** 0 when the socket closed without an answer. */
  readonly status: number
  readonly text: string
  readonly body: string
}

export function dial(simulator: Simulator): Socket {
  return connect(simulator.port, simulator.host).on('error', () => undefined)
}

/** Everything until the other side closes. */
export function hear(socket: Socket): Promise<Received> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => void chunks.push(chunk))
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString()
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
      resolve({ status, text, body: text.slice(text.indexOf('\r\n\r\n') + 4) })
    })
  })
}

export interface RawRequest {
  headers?: readonly string[]
  body?: string | Buffer
  /** Content-Length to announce; default: that of the body. */
  length?: number
}

/** A chat request in bytes; the connection closes after it. */
export function chatBytes(simulator: Simulator, { headers = [], body = '', length }: RawRequest): Buffer {
  const { agents, keys } = simulator.tenant
  const bytes = Buffer.from(body)
  const head = [
    `POST /api/v1/chat/${agents.plain} HTTP/1.1`,
    'Host: simulator',
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${length ?? bytes.length}`,
    ...(headers.some((header) => /^authorization:/i.test(header))
      ? []
      : [`Authorization: Bearer ${keys.main}`]),
    ...headers,
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), bytes])
}

export function exchange(simulator: Simulator, request: RawRequest): Promise<Received> {
  const socket = dial(simulator)
  const received = hear(socket)
  socket.write(chatBytes(simulator, request))
  return received
}
