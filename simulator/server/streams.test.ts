import { afterEach, expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../index.ts'
import type { SimulatorOptions } from '../simulator.ts'
import { chatBytes, dial, exchange, hear } from '../testing/socket.testkit.ts'

let simulator: Simulator | undefined
afterEach(() => simulator?.close())

async function start(options: SimulatorOptions = {}): Promise<Simulator> {
  simulator = await createSimulator({ clock: { mode: 'frozen' }, ...options })
  return simulator
}

const body = JSON.stringify({ message: 'a b c d', stream: true, idempotency_key: 'k' })

/** A client that reads until it has seen `seen`, and goes away. */
function leaveAfter(simulator: Simulator, seen: string): Promise<void> {
  const socket = dial(simulator)
  let text = ''
  return new Promise((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes(seen)) socket.destroy()
    })
    socket.on('close', () => resolve())
    socket.write(chatBytes(simulator, { body }))
  })
}

test('a stream whose client goes away goes on, is charged once, and is replayed with one done', async () => {
  const { tenant } = await start()
  const barrier = tenant.barriers.hold({ at: 'after-token:2' })
  await leaveAfter(simulator as Simulator, '"said: "')
  expect(await exchange(simulator as Simulator, { body })).toMatchObject({ status: 409 })
  barrier.release()
  await tenant.clock.advance(0)
  const again = await exchange(simulator as Simulator, { body })
  expect(again.text).toContain('X-Service-Idempotent-Replay: true')
  expect(again.text.match(/"type":"done"/g)).toHaveLength(1)
  expect(tenant.credits('main')).toBe(999_999)
})

test('tokens come as time passes, each in a chunk of its own', async () => {
  const replyRules = [{ match: {}, reply: { tokens: ['one ', 'two'], tokenDelayMs: 100 } }]
  const { tenant } = await start({ replyRules })
  const received = exchange(simulator as Simulator, { body })
  const barrier = tenant.barriers.hold({ at: 'before-run' })
  await barrier.reached()
  barrier.release()
  await tenant.clock.advance(200)
  expect((await received).body).toMatch(/done/)
  const [entry] = await tenant.journal.waitFor({})
  const begin = entry?.at ?? 0
  expect(entry?.response.map(({ at }) => at - begin)).toEqual([100, 200, 200])
})

test('closing the simulator ends open streams and idle connections', async () => {
  const { tenant } = await start()
  const barrier = tenant.barriers.hold({ at: 'after-token:1' })
  const streaming = exchange(simulator as Simulator, { body })
  const idle = hear(dial(simulator as Simulator))
  await barrier.reached()
  await simulator?.close()
  expect((await streaming).body).not.toContain('done')
  expect(await idle).toMatchObject({ status: 0 })
})
