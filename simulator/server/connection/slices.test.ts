/** Connections that are read in slices, since some client pipelines: how much is parsed at once, and what is answered. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../index.ts'
import { dial } from '../socket.testkit.ts'
import { createSliceSize } from './slice-size.ts'
import { readInSlices, type Slices } from './slices.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

interface Answering {
  readonly port: number
  /** Paths of requests, in the order in which they were parsed. */
  readonly parsed: string[]
  /** Answers the first request that waits. */
  readonly answer: () => void
}

/** A server whose requests wait for their answers; it reads the next slice once none waits. */
async function startAnswering(): Promise<Answering> {
  const parsed: string[] = []
  const waiting: ServerResponse[] = []
  let slices: Slices | null = null
  const server = createServer((request, response) => {
    parsed.push(request.url ?? '')
    waiting.push(response)
  })
  server.on('connection', (socket) => {
    const sizes = createSliceSize(() => waiting.at(-1)?.req)
    slices = readInSlices(socket, sizes, () => waiting.length === 0)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return {
    port: (server.address() as AddressInfo).port,
    parsed,
    answer: () => {
      waiting.shift()?.end()
      if (waiting.length === 0) slices?.readOn()
    },
  }
}

const requests = (count: number): string =>
  Array.from({ length: count }, (_, at) => `GET /${at} HTTP/1.1\r\nHost: a\r\n\r\n`).join('')

const inChunks =
  'POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n' +
  `4e20\r\n${'m'.repeat(20_000)}\r\n0\r\n\r\n`

test.for([
  ['alone', '', []],
  ['after a body in chunks', inChunks, ['/body']],
] as const)(
  'of a thousand requests that come at once, a slice is parsed, and the next one when all of it are answered: %s',
  async ([, before, paths]) => {
    const { port, parsed, answer } = await startAnswering()
    const socket = connect(port, '127.0.0.1').resume()
    ends.push(() => socket.destroy())
    socket.write(before + requests(1_000))
    const atOnce: number[] = []
    let answered = 0
    const answerAll = (): number => {
      atOnce.push(parsed.length - answered)
      while (answered < parsed.length) {
        answered++
        answer()
      }
      return answered
    }
    await expect.poll(answerAll, { interval: 1, timeout: 10_000 }).toBe(1_000 + paths.length)
    expect(Math.max(...atOnce)).toBeLessThan(50)
    expect(parsed).toEqual([...paths, ...Array.from({ length: 1_000 }, (_, at) => `/${at}`)])
  },
)

test('a socket without an HTTP server is left as it is', () => {
  expect(
    readInSlices(
      connect(1).on('error', () => undefined),
      () => 1024,
      () => true,
    ),
  ).toBeNull()
})

let simulator: Simulator

/** A client of a simulator of which another client has pipelined, and what comes until it closes. */
async function startSliced(): Promise<{ socket: Socket; received: () => string }> {
  simulator = await createSimulator({ unlimited: true })
  ends.push(() => simulator.close())
  // It is there before.
  const socket = connect({ port: simulator.port, host: simulator.host, allowHalfOpen: true })
  const other = dial(simulator)
  ends.push(
    () => socket.destroy(),
    () => other.destroy(),
  )
  await Promise.all([once(socket, 'connect'), once(other, 'connect')])
  let [text, otherText] = ['', '']
  other.on('data', (bytes: Buffer) => void (otherText += bytes.toString('latin1')))
  other.write(requests(100))
  await expect.poll(() => statuses(otherText).length, { interval: 5 }).toBe(100)
  socket.on('data', (bytes: Buffer) => void (text += bytes.toString('latin1')))
  return { socket, received: () => text }
}

const statuses = (text: string): readonly string[] =>
  Array.from(text.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status = '']) => status)

const turn = (key: string, message = 'hello'): string => {
  const body = JSON.stringify({ message, idempotency_key: key })
  const head = [
    `POST /api/v1/chat/${simulator.tenant.agents.plain} HTTP/1.1`,
    'Host: simulator',
    `Authorization: Bearer ${simulator.tenant.keys.main}`,
    'Content-Type: application/json',
  ]
  return `${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

test('once a client has pipelined, others that do so wait in slices', async () => {
  const { socket, received } = await startSliced()
  const barrier = simulator.tenant.barriers.hold({ at: 'before-run' })
  socket.write(turn('first') + requests(1_000))
  await barrier.reached()
  const { answers } = await simulator.drain({ withinMs: 0 })
  expect(answers).toBeLessThan(50)
  barrier.release()
  await expect.poll(() => statuses(received()).length, { interval: 5 }).toBe(1)
})

test('of clients that pipeline in the same moment, no more than one is parsed whole', async () => {
  simulator = await createSimulator({ unlimited: true })
  ends.push(() => simulator.close())
  const all = Array.from({ length: 10 }, () => dial(simulator).resume())
  ends.push(() => all.forEach((socket) => socket.destroy()))
  // A connection is accepted once it is answered.
  for (const socket of all) socket.write(requests(1))
  await Promise.all(all.map((socket) => once(socket, 'data')))
  for (const socket of all) socket.write(requests(1_000))
  await Promise.race(all.map((socket) => once(socket, 'data')))
  const { answers } = await simulator.drain({ withinMs: 0 })
  expect(answers).toBeGreaterThan(0)
  expect(answers).toBeLessThan(2_000)
})

const chunkedTurn = (key: string): string => {
  const [head = '', body = ''] = turn(key, large).split('\r\n\r\n')
  const chunks = [body.slice(0, 5_000), body.slice(5_000)].map(
    (chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`,
  )
  return `${head.replace(/Content-Length.*/, 'Transfer-Encoding: chunked')}\r\n\r\n${chunks.join('')}0\r\n\r\n`
}
const large = 'm'.repeat(9_000)
const ok = '200'
const missing = Array.from({ length: 60 }, () => '404')

test.for([
  ['small and large bodies', () => turn('a') + turn('b', large) + requests(60), [ok, ok, ...missing]],
  ['a large body at the end', () => requests(60) + turn('a', large), [...missing, ok]],
  ['a body in chunks', () => chunkedTurn('a') + requests(60), [ok, ...missing]],
  ['one request', () => turn('a', large), [ok]],
] as const)(
  'of a connection that is read in slices, every request is answered: %s',
  async ([, bytes, expected]) => {
    const { socket, received } = await startSliced()
    socket.write(bytes())
    await expect.poll(() => statuses(received()).length, { interval: 5 }).toBe(expected.length)
    expect(statuses(received())).toEqual(expected)
  },
)

test('a client that ends its side gets the answers to what it sent before', async () => {
  const { socket, received } = await startSliced()
  socket.end(turn('a', large) + requests(200))
  await once(socket, 'end')
  expect(statuses(received())).toHaveLength(201)
})

test('what is no request is refused after the answers to those before it', async () => {
  const { socket, received } = await startSliced()
  socket.write(`${requests(60)}no request\r\n\r\n${'x'.repeat(60_000)}`)
  await once(socket, 'end')
  expect(statuses(received()).slice(-2)).toEqual(['404', '400'])
})
