import { afterEach, expect, test } from 'vitest'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../../simulator/index.ts'
import { run, testIo } from '../../process.testkit.ts'
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

async function printed(simulator: Simulator, ...words: string[]): Promise<string> {
  const { code, out, err } = await run(['tail', '--no-follow', '--control', simulator.url, ...words])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}

test('a line says what became of a request', async () => {
  const { simulator, turn } = await start()
  await turn('a')
  await turn('a')
  await turn('a', { message: 'Other' })
  await turn('b', { stream: true })
  await turn('c', {}, simulator.tenant.agents.paused)
  await turn('d', { stream: true }, simulator.tenant.agents.failing)
  await fetch(`${simulator.url}/api/v1/\u001b[31m`, {
    headers: { authorization: `Bearer ${simulator.tenant.keys.main}` },
  })
  const out = await printed(simulator)

  const chat = `00:00:00.000  POST /api/v1/chat/${simulator.tenant.agents.plain}`
  expect(out.split('\n')).toEqual([
    `#1    ${chat}  200  key a  run  1 credit  0 ms`,
    `#2    ${chat}  200  key a  replay  0 ms`,
    `#3    ${chat}  409  key a  IDEMPOTENCY_CONFLICT  0 ms`,
    `#4    ${chat}  200  key b  run  1 credit  0 ms`,
    expect.stringMatching(/^#5 .* {2}200 {2}key c {2}stored-while-paused {2}0 credits {2}0 ms$/),
    expect.stringMatching(/^#6 .* {2}200 {2}key d {2}failed {2}0 ms$/),
    expect.stringMatching(/^#7 {4}00:00:00\.000 {2}GET {2}\/api\/v1\/%1B\[31m {2}404 {2}/),
    '',
  ])
  expect(
    (await printed(simulator, '--status', '4xx', '--since', '2', '--path', '/api/v1/chat')).split('\n'),
  ).toHaveLength(2)
  expect(await printed(simulator, '--status', '409', '--bodies')).toContain(
    '\n      > {"message":"Other"}\n      < {"error":"IDEMPOTENCY_CONFLICT"',
  )
  const [line] = (await printed(simulator, '--json', '--bodies')).split('\n')
  expect(JSON.parse(line ?? '')).toMatchObject({
    id: 1,
    idempotencyKey: 'a',
    outcome: 'run',
    credits: { used: 1 },
    ms: 0,
    request: { body: '{"message":"Hello"}' },
  })
})

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
