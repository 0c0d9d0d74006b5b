/** Connections that stay open. */
import { connect, type Socket } from 'node:net'
import type { TenantAccess } from './replica-child.ts'

/** Opened at a time: fewer than the backlog of a server. */
const concurrency = 50

export const idle = (): string => 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'

/** `message` must match a reply rule with a stream that does not end. */
export const streaming =
  (tenants: readonly TenantAccess[], message: string) =>
  (at: number): string => {
    const { key, agent } = tenants[at % tenants.length] ?? { key: '', agent: '' }
    const body = JSON.stringify({ message, stream: true, idempotency_key: `open-${at}` })
    return (
      `POST /api/v1/chat/${agent} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    )
  }

function open(port: number, bytes: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.once('data', (head: Buffer) => {
      if (head.toString('latin1', 9, 12) === '200') resolve(socket)
      else reject(new Error(`expected status 200, got ${head.toString('latin1', 0, 200)}`))
    })
    socket.on('error', reject)
  })
}

/** Opens sockets with one request each; resolves when each has received the head of a response. */
export async function openSockets(
  port: number,
  many: number,
  bytes: (at: number) => string,
): Promise<readonly Socket[]> {
  const opened: Socket[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < many) opened.push(await open(port, bytes((next += 1))))
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
  return opened
}
