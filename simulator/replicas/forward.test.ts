import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { presentValues } from '../server/call.ts'
import type { Incoming } from '../server/http-server.ts'
import { machineTime } from '../tenant/clock/machine-time.ts'
import { createRequestForwarder, type ForwardResult } from './forward.ts'

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
  const forwarder = createRequestForwarder('me', machineTime, 1_000)
  onTestFinished(() => forwarder.close())
  const said: ForwardResult[] = []
  const server = await listen((request, response) => {
    const { method = '', url: path = '' } = request
    const tooLarge = path === '/large'
    const body = new Uint8Array()
    const call: Incoming = {
      id: 1,
      connection: 1,
      server: 1,
      method,
      path,
      params: {},
      headers: [['Host', 'replica']],
      body,
      tooLarge,
      client: presentValues,
    }
    void forwarder.forward(replica, call, response).then((how) => {
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
