import { createServer } from 'node:http'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Budgets } from '../../bundle/record.ts'
import { realClock } from './clock.ts'
import type { Exchange } from './exchange.ts'
import { createGovernor, type Governor } from './budget/governor.ts'
import { createRecorder, type Outgoing, type Recorder, createWire, type Wire } from './recorder.ts'

const seen: (string | undefined)[] = []
const server = createServer((request, response) => {
  seen.push(request.url)
  response.setHeader('content-type', 'application/json')
  response.end('{"credits_used":2}')
})
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => server.close())

const post = (name: string, principal: string | null = 'main'): Outgoing => ({
  scenario: 's',
  name,
  method: 'POST',
  path: `/${name}`,
  headers: [],
  body: new Uint8Array([123, 125]),
  principal,
})

async function withWire(
  caps: Partial<Budgets>,
  run: (wire: Wire, governor: Governor, ended: readonly Exchange[]) => Promise<void>,
): Promise<void> {
  const address = server.address()
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const clock = realClock()
  const budgets = { requests: 99, turns: 99, credits: 99, wallSeconds: 99, requestsPerMinute: 60, ...caps }
  const governor = createGovernor({ budgets, clock })
  const recorder: Recorder = createRecorder({ baseUrl, timeoutMs: 5_000, clock })
  const ended: Exchange[] = []
  seen.length = 0
  try {
    await run(
      createWire({ recorder, governor, onExchange: (exchange) => ended.push(exchange) }),
      governor,
      ended,
    )
  } finally {
    await recorder.close()
  }
}

describe('the wire', () => {
  it('sends what is admitted and counts what it cost', () =>
    withWire({}, async (wire, governor, ended) => {
      const first = await wire.send(post('first'))
      const race = await wire.together([post('a'), post('b', 'other'), post('c')], { turns: 1 })
      expect([first, ...race].map((one) => [one.id, one.name, one.failure])).toEqual([
        [1, 'first', null],
        [2, 'a', null],
        [3, 'b', null],
        [4, 'c', null],
      ])
      expect(ended).toEqual([first, ...race])
      expect(governor.used()).toMatchObject({ requests: 4, turns: 4, credits: 8 })
    }))

  it('withholds what a cap does not allow, and a race as a whole', () =>
    withWire({ requests: 3 }, async (wire, governor, ended) => {
      await wire.send(post('first'))
      const race = await wire.together([post('a'), post('b', 'other'), post('c')])
      expect(race.map(({ failure, response }) => [failure?.kind, response])).toEqual(
        race.map(() => ['budget', null]),
      )
      expect(race[0]?.failure?.message).toMatch(/may use 3 requests/)
      expect(seen).toEqual(['/first'])
      expect(ended).toHaveLength(4)
      expect(governor.used().turns).toBe(1)
    }))
})
