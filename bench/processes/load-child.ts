/**
 * Sends requests to one server as fast as it responds, over warm connections with one request in flight each. It is
 * minimal because on two cores an expensive client would limit the result. Every request has its own idempotency key.
 */
import { connect, type Socket } from 'node:net'
import { createResponseReader } from './response-reader.ts'
import { keyMark } from './key-mark.ts'
import { errorMessage } from '../../reports/bundle/text.ts'

export interface LoadOptions {
  port: number
  path: string
  headers: readonly (readonly [name: string, value: string])[]
  /** JSON with `keyMark` in place of the idempotency key. */
  body: string
  connections: number
  /** How long new requests are sent, in milliseconds. */
  ms: number
}

export interface LoadResult {
  responses: number
  /** From the first request to the last response. */
  ms: number
}

/** Unique within and across processes. */
let keys = process.pid * 1e7

const nextKey = (): string => `bench-${String((keys += 1)).padStart(12, '0')}`

/** Returns a function that writes the next key into the same buffer. */
function requestsOf({ port, path, headers, body }: LoadOptions): () => Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
  const at = bytes.indexOf(keyMark)
  if (at === -1)
    throw new Error(`the body does not contain ${keyMark}, so all requests would have the same key: ${body}`)
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

/** Sends on one socket until the time is over; returns the number of responses. */
function sendRequests(socket: Socket, next: () => Buffer, isOver: () => boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    let answered = 0
    const responses = createResponseReader((status) => {
      if (status !== 200)
        return reject(new Error(`got a response with status ${status}, so the figures would be meaningless`))
      answered += 1
      if (isOver()) resolve(answered)
      else socket.write(next())
    })
    socket.on('data', responses)
    socket.on('close', () => reject(new Error('the server closed a connection during the measurement')))
    socket.write(next())
  })
}

async function load(wanted: LoadOptions): Promise<LoadResult> {
  const sockets = await Promise.all(Array.from({ length: wanted.connections }, () => dial(wanted.port)))
  try {
    const next = requestsOf(wanted)
    // Copied, because all connections share the buffer.
    const copy = (): Buffer => Buffer.from(next())
    const began = performance.now()
    const isOver = (): boolean => performance.now() - began >= wanted.ms
    const counts = await Promise.all(sockets.map((socket) => sendRequests(socket, copy, isOver)))
    return { responses: counts.reduce((sum, one) => sum + one, 0), ms: performance.now() - began }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

process.on('message', (wanted: LoadOptions) => {
  load(wanted).then(
    (loaded) => process.send?.({ loaded }),
    (reason: unknown) => process.send?.({ threw: errorMessage(reason) }),
  )
})
process.send?.('ready')
