import { afterEach, expect, test } from 'vitest'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../simulator/index.ts'
import { testIo } from '../process.testkit.ts'
import { tail } from './tail.ts'

const open: Simulator[] = []
afterEach(async () => void (await Promise.all(open.splice(0).map((one) => one.close()))))

async function start(options: SimulatorOptions = {}) {
  const simulator = await createSimulator({ seed: 'tail', clock: { mode: 'frozen' }, ...options })
  open.push(simulator)
  const { tenant, url } = simulator
  const turn = async (key: string, body: object = {}, agent: string = tenant.agents.plain) => {
    const response = await fetch(`${url}/api/v1/chat/${agent}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.keys.main}`, 'idempotency-key': key },
      body: JSON.stringify({ message: 'Hello', ...body }),
    })
    await response.text()
  }
  return { simulator, turn }
}

test('it follows a simulator that restarts, and prints each request once', async () => {
  const { simulator, turn } = await start()
  const io = testIo()
  const printedLines = (count: number): Promise<void> =>
    new Promise((resolve) => {
      io.out = (text) => {
        io.printed.out += text
        if (io.printed.out.split('\n').length > count) resolve()
      }
    })
  const port = Number(new URL(simulator.url).port)
  const restarted = Promise.withResolvers<void>()
  const clock = { now: () => 0, wall: () => '', sleep: () => restarted.promise }
  await turn('before')
  const first = printedLines(1)
  const ended = tail({ follow: true, since: 0, control: simulator.url }, io, clock)
  await first
  const slow = simulator.tenant.barriers.hold({ at: 'before-run', key: 'slow' })
  const lost = turn('slow').catch(() => undefined)
  await slow.reached()
  const second = printedLines(2)
  await turn('meanwhile')
  await second
  await simulator.close()
  await lost

  const next = await start({ port })
  const third = printedLines(3)
  restarted.resolve()
  await next.turn('after')
  await third
  io.stop()

  expect(await ended).toBe(0)
  expect([...io.printed.out.matchAll(/key (\w+)/g)].map(([, key]) => key)).toEqual([
    'before',
    'meanwhile',
    'after',
  ])
  expect(io.printed.err).toBe(
    `Requests to ${simulator.url}; Ctrl-C ends it.\nconnection lost; reconnecting…\nreconnected.\n`,
  )
})
