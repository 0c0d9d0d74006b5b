/** Clients on raw sockets, which read only on request, or send nothing after their first request. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Served } from './served.ts'

export function dial({ url }: Served): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname).on('error', () => undefined)
}

/** A stream that was asked for; nothing of it is read before the socket is resumed. */
export function askAtLength(served: Served, key: string): Socket {
  const body = JSON.stringify({ message: 'at length', stream: true, idempotency_key: key })
  const head = [
    `POST /api/v1/chat/${served.agent} HTTP/1.1`,
    'Host: simulator',
    'Connection: close',
    `Authorization: Bearer ${served.key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  const socket = dial(served).pause()
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  return socket
}

/** How many connect at a time: more than wait to be taken would have to connect again, a second later. */
const wave = 250

/** Connections that were answered once and say nothing more; those that were not taken are not among them. */
export async function idle(served: Served, count: number): Promise<readonly Socket[]> {
  const taken: Socket[] = []
  for (let begun = 0; begun < count; begun += wave) {
    const sockets = Array.from({ length: Math.min(wave, count - begun) }, () => dial(served))
    const answered = await Promise.all(sockets.map(isAnswered))
    taken.push(...sockets.filter((_, at) => answered[at]))
  }
  return taken
}

function isAnswered(socket: Socket): Promise<boolean> {
  socket.write('GET /healthz HTTP/1.1\r\nHost: simulator\r\n\r\n')
  return new Promise((resolve) => {
    socket.once('data', () => resolve(true)).once('close', () => resolve(false))
  })
}

export async function closeAll(sockets: readonly Socket[]): Promise<void> {
  const closed = sockets.filter(({ closed }) => !closed).map((socket) => once(socket, 'close'))
  for (const socket of sockets) socket.destroy()
  await Promise.all(closed)
}

let turns = 0

async function turn({ url, agent, key }: Served): Promise<void> {
  const answer = await fetch(`${url}/api/v1/chat/${agent}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Hello', idempotency_key: `beside-${++turns}` }),
  })
  if (answer.status !== 200)
    throw new Error(`a turn was answered with ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
}

const asked = 41

/** The median of how long a turn takes, in ms. */
export async function turnMs(served: Served): Promise<number> {
  const took: number[] = []
  for (let n = 0; n < asked; n++) {
    const began = performance.now()
    await turn(served)
    took.push(performance.now() - began)
  }
  return took.sort((one, other) => one - other)[asked >> 1] ?? 0
}
