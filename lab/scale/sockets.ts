/** Connections that stay open, as those of clients that wait. */
import { connect, type Socket } from 'node:net'
import type { Access } from './replica-child.ts'

/** So many are opened side by side: fewer than a server keeps waiting to be accepted. */
const abreast = 50

export const idle = (): string => 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'

/** `message`: one that is answered with a stream that does not end. */
export const streaming =
  (tenants: readonly Access[], message: string) =>
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
      else reject(new Error(`a connection was answered ${head.toString('latin1', 0, 200)}`))
    })
    socket.on('error', reject)
  })
}

/** Opens so many, each with a request of its own, and resolves once each was answered, or begun to be. */
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
  await Promise.all(Array.from({ length: abreast }, lane))
  return opened
}
