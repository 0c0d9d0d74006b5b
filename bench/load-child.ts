/**
 * Asks one server as fast as it answers, over warm sockets with one request each under way, and nothing else: on two
 * cores a client that costs as much as the server would be what is measured. Every request has a key of its own.
 */
import { connect, type Socket } from 'node:net'
import { createAnswers } from './answers.ts'
import { keyMark } from './key-mark.ts'

/** What to send, and for how long. */
export interface Load {
  port: number
  path: string
  headers: readonly (readonly [name: string, value: string])[]
  /** JSON in which `keyMark` stands for the key of the request. */
  body: string
  connections: number
  /** How long new requests begin, in milliseconds. */
  ms: number
}

export interface Loaded {
  answers: number
  /** From the first request to the last answer, in milliseconds. */
  took: number
}

/** Never the same in the life of this process, nor in that of another. */
let keys = process.pid * 1e7

const nextKey = (): string => `bench-${String((keys += 1)).padStart(12, '0')}`

/** Whole requests; the key is written into the same bytes each time. */
function requestsOf({ port, path, headers, body }: Load): () => Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
  const at = bytes.indexOf(keyMark)
  if (at === -1) throw new Error(`the body has no ${keyMark}, so that all requests had one key: ${body}`)
  return () => {
    bytes.write(nextKey(), at, 'latin1')
    return bytes
  }
}

function dial(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Sends on one socket until the time is over; gives how many were answered 200. */
function lane(socket: Socket, next: () => Buffer, isOver: () => boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    let answered = 0
    const answers = createAnswers((status) => {
      if (status !== 200) return reject(new Error(`an answer was ${status}; the figures would mean nothing`))
      answered += 1
      if (isOver()) resolve(answered)
      else socket.write(next())
    })
    socket.on('data', answers)
    socket.on('close', () => reject(new Error('a connection was closed before the time was over')))
    socket.write(next())
  })
}

async function load(wanted: Load): Promise<Loaded> {
  const sockets = await Promise.all(Array.from({ length: wanted.connections }, () => dial(wanted.port)))
  try {
    const next = requestsOf(wanted)
    // The bytes are the same for all lanes: a socket has to be done with them when it gives back control.
    const copy = (): Buffer => Buffer.from(next())
    const began = performance.now()
    const isOver = (): boolean => performance.now() - began >= wanted.ms
    const lanes = await Promise.all(sockets.map((socket) => lane(socket, copy, isOver)))
    return { answers: lanes.reduce((sum, one) => sum + one, 0), took: performance.now() - began }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

process.on('message', (wanted: Load) => {
  load(wanted).then(
    (loaded) => process.send?.({ loaded }),
    (reason: unknown) => process.send?.({ threw: reason instanceof Error ? reason.message : String(reason) }),
  )
})
process.send?.('ready')
