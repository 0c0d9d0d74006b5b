/** Clients that send much at once, read nothing, or send so slowly that they never end. */
import { EventEmitter, once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { createSimulator, type Simulator, type SimulatorOptions } from '../index.ts'
import { everyRealTime } from '../tenant/clock/machine-time.ts'
import { ServerConnection } from './connection/connection.ts'
import { chatBytes, dial, exchange, hear } from './socket.testkit.ts'

let simulator: Simulator
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await simulator.close()
})

async function start(options: SimulatorOptions = {}): Promise<void> {
  simulator = await createSimulator({ unlimited: true, ...options })
}

/** A client that stays when the server has ended its side. */
function stubborn(): Socket {
  const socket = connect({ port: simulator.port, host: simulator.host, allowHalfOpen: true })
  sockets.push(socket.on('error', () => undefined))
  return socket
}

const webhooks = (): string => `/api/agents/${simulator.tenant.agents.plain}/webhooks`
const get = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: simulator\r\nCookie: session=${simulator.tenant.sessions.main}\r\n\r\n`

/** Webhooks whose list has about 500 KB. */
async function fillList(): Promise<void> {
  const headers = {
    cookie: `session=${simulator.tenant.sessions.main}`,
    'content-type': 'application/json',
  }
  const custom = { 'X-A': 'v'.repeat(8_000), 'X-B': 'v'.repeat(8_000) }
  const fields = {
    name: 'n',
    endpoint_url: 'https://hooks.example.org/',
    events: ['leads.submit'],
    custom_headers: custom,
  }
  for (let made = 0; made < 30; made++)
    await fetch(`${simulator.url}${webhooks()}`, { method: 'POST', headers, body: JSON.stringify(fields) })
  simulator.tenant.journal.clear()
}

const lists = (): number =>
  simulator.tenant.journal.entries().filter(({ method, path }) => method === 'GET' && path === webhooks())
    .length

/** Everything that the simulator was sent so far has been met. */
async function met(): Promise<void> {
  for (let times = 0; times < 10; times++) await (await fetch(`${simulator.url}/healthz`)).text()
}

test('requests of one connection are answered one by one, no sooner than they are read', async () => {
  await start()
  await fillList()
  const socket = dial(simulator).pause()
  sockets.push(socket)
  const asked = 60
  socket.write(get(webhooks()).repeat(asked))
  await met()
  expect(lists()).toBeLessThan(45)
  let answered = 0
  socket.on('data', (chunk: Buffer) => {
    answered += chunk.toString('latin1').split('HTTP/1.1 200').length - 1
    if (answered >= asked - 1 && lists() === asked) socket.end()
  })
  socket.resume()
  await once(socket, 'close')
  expect(lists()).toBe(asked)
})

test('a connection with many requests does not keep the others waiting', async () => {
  await start()
  const unknown = 'GET /nothing HTTP/1.1\r\nHost: simulator\r\n\r\n'
  const paths = (): readonly string[] => simulator.tenant.journal.entries().map(({ path }) => path)
  const asked = 400
  const [many, one] = [dial(simulator).resume(), dial(simulator).resume()]
  sockets.push(many, one)
  await Promise.all([once(many, 'connect'), once(one, 'connect')])
  many.write(unknown.repeat(asked))
  one.write(unknown.replace('nothing', 'other'))
  await expect.poll(() => paths().length, { interval: 5 }).toBe(asked + 1)
  expect(paths().indexOf('/other')).toBeLessThan(asked / 2)
})

test('long answers of one tenant do not keep another waiting', async () => {
  await start()
  await fillList()
  const other = simulator.createTenant()
  const many = Array.from({ length: 80 }, () => dial(simulator).resume())
  const one = dial(simulator).resume()
  sockets.push(...many, one)
  const ofOther = `GET /nothing HTTP/1.1\r\nHost: simulator\r\nAuthorization: Bearer ${other.keys.main}\r\n\r\n`
  // A connection is accepted once it is answered.
  for (const socket of [...many, one]) socket.write(ofOther)
  await Promise.all([...many, one].map((socket) => once(socket, 'data')))
  for (const socket of many) socket.write(get(webhooks()))
  one.write(ofOther)
  await once(one, 'data')
  expect(lists()).toBeLessThan(many.length / 2)
  await expect.poll(lists, { interval: 5 }).toBe(many.length)
})

test('requests that wait on a connection when it closes are aborted without a stack each', async () => {
  await start()
  const socket = Object.assign(new EventEmitter(), { pause: () => undefined })
  const limits: number[] = []
  // Node listens before anybody else, and aborts them there.
  socket.on('close', () => limits.push(Error.stackTraceLimit))
  const options = {
    turns: vi.fn(),
    ends: vi.fn(),
    abandon: vi.fn(),
    pipelined: vi.fn(),
    hold: vi.fn(),
    requestMs: 1_000,
  }
  const connection = new ServerConnection(socket as unknown as Socket, 1, options)
  connection.wait({ req: { destroy: vi.fn() } } as unknown as ServerResponse, vi.fn())
  const { stackTraceLimit } = Error
  socket.emit('close')
  expect([...limits, Error.stackTraceLimit]).toEqual([0, stackTraceLimit])
})

/** A turn that leaves its connection open. */
const turnBytes = (key: string): string =>
  chatBytes(simulator, { body: JSON.stringify({ message: 'hello', idempotency_key: key }) })
    .toString()
    .replace('Connection: close\r\n', '')

/** Resolves when a client that sends only a part of its request has been given up. */
async function deadlinePassed(): Promise<void> {
  const slow = dial(simulator).resume()
  sockets.push(slow)
  slow.write('POST /api/v1/chat/x HTTP/1.1\r\nHost: simulator\r\nContent-Length: 9\r\n\r\n')
  await once(slow, 'close')
}

test.for([
  ['is answered when the rest of it comes', true, 2],
  ['is given up when the rest of it does not come', false, 1],
] as const)('a request that came in part behind a long turn %s', async ([, isSent, answered]) => {
  await start({ timeouts: { headersMs: 200, requestMs: 300 } })
  const barrier = simulator.tenant.barriers.hold({ at: 'before-run' })
  const socket = dial(simulator)
  sockets.push(socket)
  const second = turnBytes('second')
  socket.write(turnBytes('first') + second.slice(0, -5))
  await barrier.reached()
  await deadlinePassed()
  const received = hear(socket)
  barrier.release()
  if (isSent) socket.write(second.slice(-5))
  expect((await received).text.split('HTTP/1.1 200').length - 1).toBe(answered)
})

test('the health check is answered however much is in flight', async () => {
  await start({ limits: { openAnswers: 1 } })
  const control = `/_sim/v1/tenants/${simulator.tenant.id}`
  const waiting = dial(simulator).resume()
  sockets.push(waiting)
  waiting.write(
    get(`${control}/journal/wait?count=1&path=/never`).replace('Host: simulator', 'Host: localhost'),
  )
  await met()
  const status = async (path: string): Promise<number> => {
    const answer = await fetch(simulator.url + path)
    await answer.arrayBuffer()
    return answer.status
  }
  expect(await status(control)).toBe(503)
  expect(await status('/healthz')).toBe(200)
})

test.for([
  ['without a key are not its own', undefined, 200],
  ['with its key are', 'key', 503],
] as const)('of what a tenant may have in flight, requests %s', async ([, key, expected]) => {
  await start({ limits: { openAnswers: 1 } })
  simulator.tenant.addNetworkFaults([{ on: { path: '/api/v1/waits' }, do: { is: 'wait', ms: 60_000 } }])
  const authorization = `Authorization: Bearer ${simulator.tenant.keys.main}\r\n`
  const of = (path: string, header: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${header}\r\n`
  const waits = dial(simulator).resume()
  sockets.push(waits)
  waits.write(of('/api/v1/waits', key ? authorization : ''))
  await met()
  const other = dial(simulator)
  sockets.push(other)
  other.write(of('/api/v1/operations', authorization))
  const [bytes] = (await once(other, 'data')) as [Buffer]
  expect(bytes.toString()).toContain(`HTTP/1.1 ${expected} `)
})

test('with a token, what the control plane has in flight about one tenant takes nothing from others', async () => {
  const controlToken = 'a-token-of-the-control-plane'
  await start({ limits: { openAnswers: 1 }, controlToken })
  const other = simulator.createTenant()
  const status = async (path: string, token = controlToken): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${simulator.url}/_sim/v1${path}`, { headers })
    await answer.arrayBuffer()
    return answer.status
  }
  const waiting = dial(simulator).resume()
  sockets.push(waiting)
  const wait = `/_sim/v1/tenants/${simulator.tenant.id}/journal/wait?count=1&path=/never`
  waiting.write(`GET ${wait} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${controlToken}\r\n\r\n`)
  await met()
  expect(await status(`/tenants/${simulator.tenant.id}`)).toBe(503)
  expect(await status(`/tenants/${other.id}`)).toBe(200)
  expect(await status('/faults')).toBe(200)
  expect(await status(`/tenants/${simulator.tenant.id}`, 'another-token-of-16-characters')).toBe(401)
})

test('requests that wait for their turn are forgotten with their connection', async () => {
  await start()
  const barrier = simulator.tenant.barriers.hold({ at: 'before-run' })
  const socket = stubborn()
  socket.write(turnBytes('first') + turnBytes('second') + turnBytes('third'))
  await barrier.reached()
  await met()
  expect(simulator.tenant.journal.entries()).toHaveLength(1)
  const closed = once(socket, 'close')
  socket.destroy()
  await closed
  barrier.release()
  expect(await simulator.drain()).toEqual({ answers: 0, turns: 0, deliveries: 0 })
  expect(simulator.tenant.journal.entries()).toHaveLength(1)
})

test('a tenant with as many unread bytes as it may have is answered 503 until they are gone', async () => {
  await start({ limits: { openBytes: 400_000 } })
  await fillList()
  const socket = dial(simulator).pause()
  sockets.push(socket)
  socket.write(get(webhooks()).repeat(40))
  const status = async (): Promise<number> => {
    const headers = { cookie: `session=${simulator.tenant.sessions.main}` }
    const answer = await fetch(`${simulator.url}${webhooks()}`, { headers })
    await answer.arrayBuffer()
    return answer.status
  }
  await expect.poll(status, { interval: 5 }).toBe(503)
  // Another tenant is no part of it.
  const other = simulator.createTenant()
  expect((await exchange(simulator, ofTenant(other.keys.main))).status).toBe(404)
  socket.destroy()
  await expect.poll(status, { interval: 5 }).toBe(200)
})

const ofTenant = (key: string) => ({
  headers: [`Authorization: Bearer ${key}`],
  body: JSON.stringify({ message: 'hello', idempotency_key: 'k' }),
})

test('bodies that nobody is known for have so much room in all, and take none of a tenant', async () => {
  await start({ limits: { openBytes: 100_000 } })
  const nobody = { headers: ['Authorization: Bearer sk-unknown'], body: 'x'.repeat(60_000), length: 60_001 }
  const statuses: number[] = []
  for (let opened = 0; opened < 6; opened++) {
    const socket = dial(simulator)
    sockets.push(socket)
    socket.write(chatBytes(simulator, nobody))
    void hear(socket).then(({ status }) => statuses.push(status))
  }
  // The bytes of two of them have come, and wait for the last one.
  await expect.poll(() => statuses, { interval: 5 }).toEqual([503, 503, 503, 503])
  const known = ofTenant(simulator.tenant.keys.main)
  expect((await exchange(simulator, known)).status).toBe(200)
  for (const socket of sockets.splice(0)) socket.destroy()
  await expect
    .poll(async () => (await exchange(simulator, { ...nobody, length: 60_000 })).status, { interval: 5 })
    .toBe(401)
})

test.for([
  ['headers', 'POST /api/v1/chat/x HTTP/1.1\r\nHost: simulator\r\n', 'X-A: b\r\n'],
  ['a body', 'POST /api/v1/chat/x HTTP/1.1\r\nHost: simulator\r\nContent-Length: 100000\r\n\r\n', 'x'],
  ['nothing after a blank', '\r\n', '\r\n'],
])('of 200 connections that drip %s, none outlives the deadline', async ([, head = '', drop = '']) => {
  await start({ timeouts: { headersMs: 200, requestMs: 300 } })
  const all = Array.from({ length: 200 }, () => stubborn())
  const closed = all.map(
    (socket) => new Promise<void>((resolve) => void socket.resume().on('close', () => resolve())),
  )
  for (const socket of all) socket.write(head)
  const stop = everyRealTime(20, () => {
    for (const socket of all) if (!socket.destroyed) socket.write(drop)
  })
  await Promise.all(closed)
  stop()
  expect(all.every(({ destroyed }) => destroyed)).toBe(true)
})
