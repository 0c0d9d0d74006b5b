import { afterEach, beforeEach, expect, test } from 'vitest'
import { chatBytes, dial, exchange, hear } from './testing/socket.testkit.ts'
import { createSimulator, type Simulator } from './index.ts'
import { hook, receive } from './testing/outbox.testkit.ts'

const body = (key: string, stream: boolean): string =>
  JSON.stringify({ message: 'a b', stream, idempotency_key: key })

let simulator: Simulator
beforeEach(async () => {
  simulator = await createSimulator({ seed: 'drained' })
})
afterEach(() => simulator.close())

/** A turn as JSON, one as a stream, one whose client has gone, and an attempt of a delivery: all of them held. */
async function begun() {
  const { barriers, journal, ...tenant } = simulator.tenant
  const endpoint = await receive()
  endpoint.script('/', 'hold')
  hook(simulator.tenant, `${endpoint.url}/`, { events: ['leads.submit'] })
  tenant.emit('leads.submit')
  await endpoint.arrived(1)
  const barrier = barriers.hold({ at: 'after-token:1' })
  const turns = [false, true].map((stream) => exchange(simulator, { body: body(`${stream}`, stream) }))
  const leaving = dial(simulator)
  leaving.write(chatBytes(simulator, { body: body('left', false) }))
  await barrier.reached(3)
  leaving.destroy()
  await journal.waitFor({})
  return { endpoint, barrier, turns }
}

test('says what is under way when there is no time for it', async () => {
  await begun()
  expect(await simulator.drain({ withinMs: 0 })).toEqual({ answers: 2, turns: 3, deliveries: 1 })
})

test('lets what was begun end, begins no further attempt, and takes no connection', async () => {
  const { endpoint, barrier, turns } = await begun()
  const drained = simulator.drain({ withinMs: 60_000 })
  simulator.tenant.emit('leads.submit')
  expect(await hear(dial(simulator))).toMatchObject({ status: 0 })
  barrier.release()
  const [json, stream] = await Promise.all(turns)
  expect(json?.body).toContain('"response":"You said: a b"')
  expect(stream?.body).toContain('"type":"done"')
  endpoint.release(200)
  expect(await drained).toEqual({ answers: 0, turns: 0, deliveries: 0 })
  expect(endpoint.taken).toHaveLength(1)
  expect(simulator.tenant.credits('main')).toBe(999_997)
})

test('an open connection gets Connection: close, and ends', async () => {
  const idle = dial(simulator)
  const received = hear(idle)
  const ask = (): Promise<string> =>
    new Promise((resolve) => {
      idle.once('data', (chunk: Buffer) => resolve(chunk.toString()))
      idle.write('GET /healthz HTTP/1.1\r\nHost: simulator\r\n\r\n')
    })
  expect(await ask()).toMatch(/^HTTP\/1.1 200 [^]*\{"status":"ok"\}/)
  const barrier = simulator.tenant.barriers.hold({ at: 'before-run' })
  const turn = exchange(simulator, { body: body('held', false) })
  await barrier.reached()
  const drained = simulator.drain({ withinMs: 60_000 })
  expect(await ask()).toMatch(/^HTTP\/1.1 503 [^]*Connection: close[^]*\{"status":"draining"\}/)
  await received
  barrier.release()
  expect(await turn).toMatchObject({ status: 200 })
  await drained
})
