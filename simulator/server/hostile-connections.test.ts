/** Clients that send much at once, read nothing, or send so slowly that they never end. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createSimulator, type Simulator, type SimulatorOptions } from '../index.ts'
import { fixedLimits } from '../limits.ts'
import { everyRealTime } from '../clock/machine-time.ts'
import { chatBytes, dial, exchange, hear } from '../testing/socket.testkit.ts'

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

const turnOf = (key: string) => ({ body: JSON.stringify({ message: 'hello', idempotency_key: key }) })

/** A turn that leaves its connection open. */
const turnBytes = (key: string): string =>
  chatBytes(simulator, turnOf(key)).toString().replace('Connection: close\r\n', '')

test('a connection with more requests than may wait is closed', async () => {
  await start()
  const barrier = simulator.tenant.barriers.hold({ at: 'before-run' })
  const socket = dial(simulator).resume()
  sockets.push(socket)
  socket.write(turnBytes('first') + get(webhooks()).repeat(fixedLimits.pipelinedRequests))
  await once(socket, 'close')
  barrier.release()
  expect(lists()).toBe(0)
})

test('control plane and health check are answered however much is in flight', async () => {
  await start({ limits: { openAnswers: 1 } })
  const barrier = simulator.tenant.barriers.hold({ at: 'before-run' })
  const held = exchange(simulator, turnOf('first'))
  await barrier.reached()
  const status = async (path: string): Promise<number> => (await fetch(simulator.url + path)).status
  expect((await exchange(simulator, turnOf('second'))).status).toBe(503)
  expect(await status(`/_sim/v1/tenants/${simulator.tenant.id}`)).toBe(200)
  expect(await status('/healthz')).toBe(200)
  barrier.release()
  expect((await held).status).toBe(200)
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

test('with as many unread bytes as there may be, requests get 503 until they are gone', async () => {
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
  socket.destroy()
  await expect.poll(status, { interval: 5 }).toBe(200)
})

test('bodies that never end have so much room in all', async () => {
  await start({ limits: { openBytes: 100_000 } })
  const body = JSON.stringify({ message: 'hello', idempotency_key: 'k', more: 'x'.repeat(60_000) })
  const statuses: number[] = []
  for (let opened = 0; opened < 6; opened++) {
    const socket = dial(simulator)
    sockets.push(socket)
    socket.write(chatBytes(simulator, { body, length: body.length + 1 }))
    void hear(socket).then(({ status }) => statuses.push(status))
  }
  // The bytes of two of them have come, and wait for the last one.
  await expect.poll(() => statuses, { interval: 5 }).toEqual([503, 503, 503, 503])
  for (const socket of sockets.splice(0)) socket.destroy()
  await expect.poll(async () => (await exchange(simulator, { body })).status, { interval: 5 }).toBe(200)
})

test.for([
  ['headers', 'POST /api/v1/chat/x HTTP/1.1\r\nHost: simulator\r\n', 'X-A: b\r\n'],
  ['a body', 'POST /api/v1/chat/x HTTP/1.1\r\nHost: simulator\r\nContent-Length: 100000\r\n\r\n', 'x'],
  ['nothing after a blank', '\r\n', '\r\n'],
])('of 200 connections that drip %s, none outlives the deadline', async ([, head = '', drop = '']) => {
  await start({ limits: { requestMs: 300 } })
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
