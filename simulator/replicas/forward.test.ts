import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { presentValues } from '../server/call.ts'
import type { Incoming } from '../server/http-server.ts'
import { breathe, machineTime } from '../tenant/clock/machine-time.ts'
import { createMachine } from '../tenant/clock/machine.testkit.ts'
import { createRequestForwarder, type ForwarderOptions, type ForwardResult, type IsOwner } from './forward.ts'

const options: ForwarderOptions = { id: 'me', machine: machineTime, acceptMs: 1_000, connectMs: 1_000 }
const isOwner: IsOwner = async () => true

/** A request of a client, by its path. */
const callOf = (method: string, path: string, tooLarge = false): Incoming => ({
  id: 1,
  connection: 1,
  server: 1,
  method,
  path,
  params: {},
  headers: [['Host', 'replica']],
  body: new Uint8Array(),
  tooLarge,
  client: presentValues,
  place: { rules: { bodyLimitBytes: 1_000_000 } },
})

async function listen(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

test('whatever follows a body that was too large is no part of it', async () => {
  const paths: (string | undefined)[] = []
  const replica = await listen((request, response) => {
    paths.push(request.url)
    response.writeHead(421, { 'Content-Length': '0' }).end()
  })
  const forwarder = createRequestForwarder(options)
  onTestFinished(() => forwarder.close())
  const said: ForwardResult[] = []
  const server = await listen((request, response) => {
    const { method = '', url: path = '' } = request
    const call = callOf(method, path, path === '/large')
    void forwarder.forward({ tenant: 'one', address: replica }, call, response, isOwner).then((how) => {
      said.push(how)
      response.end()
    })
  })
  for (const path of ['/large', '/next']) await fetch(`${server}${path}`, { method: 'POST' })
  expect([said, paths]).toEqual([
    ['misdirected', 'misdirected'],
    ['/large', '/next'],
  ])
})

test('a replica that is busy is waited for while it owns the tenant, and gets the request once', async () => {
  const machine = createMachine()
  const forwarder = createRequestForwarder({ ...options, machine })
  onTestFinished(() => forwarder.close())
  const reached: ServerResponse[] = []
  const replica = await listen((_, response) => void reached.push(response))
  let looks = 0
  let owns = true
  const asked: IsOwner = async () => {
    looks++
    return owns
  }
  const said: ForwardResult[] = []
  const server = await listen((request, response) => {
    const call = callOf('GET', request.url ?? '')
    void forwarder.forward({ tenant: 'one', address: replica }, call, response, asked).then((how) => {
      said.push(how)
      if (how !== 'answered') response.writeHead(503).end()
    })
  })
  const late = fetch(`${server}/late`)
  const lost = fetch(`${server}/lost`)
  await expect.poll(() => reached.length, { interval: 5 }).toBe(2)
  for (let times = 1; times <= 3; times++) {
    machine.pass(1_000)
    await expect.poll(() => looks, { interval: 5 }).toBe(2 * times)
    await breathe()
  }
  expect(said).toEqual([])
  reached.find(({ req }) => req.url === '/late')?.end('late')
  expect(await (await late).text()).toBe('late')
  owns = false
  machine.pass(1_000)
  expect((await lost).status).toBe(503)
  expect([said, reached.length]).toEqual([['answered', 'unreachable'], 2])
})

test('a tenant does not use up the connections of another', async () => {
  const forwarder = createRequestForwarder(options)
  onTestFinished(() => forwarder.close())
  const sockets = new Set<unknown>()
  const held: ServerResponse[] = []
  const replica = await listen((request, response) => {
    if (request.url === '/hold') held.push(response)
    else {
      sockets.add(request.socket)
      response.end()
    }
  })
  const server = await listen((request, response) => {
    const { url: path = '' } = request
    const place = { tenant: path === '/hold' ? 'hostile' : 'honest', address: replica }
    void forwarder.forward(place, callOf('GET', path), response, isOwner)
  })
  await (await fetch(`${server}/first`)).text()
  void fetch(`${server}/hold`).catch(() => undefined)
  await expect.poll(() => held.length, { interval: 5 }).toBe(1)
  await (await fetch(`${server}/second`)).text()
  expect(sockets.size).toBe(1)
})
