import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../simulator/index.ts'
import { openStore } from '../../simulator/store/open.ts'
import { programs } from '../postgres/programs.ts'
import { startPostgres } from '../postgres/server.ts'

interface Said {
  readonly status: number
  readonly replay: string | null
  readonly retryAfter: string | null
  readonly body: Readonly<Record<string, unknown>>
}

async function say({ url, names }: Simulator, key: string): Promise<Said> {
  const answer = await fetch(`${url}/api/v1/chat/${names.agents.plain}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${names.keys.main}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: `Turn ${key}, please.`, idempotency_key: key }),
  })
  const { status, headers } = answer
  return {
    status,
    replay: headers.get('x-service-idempotent-replay'),
    retryAfter: headers.get('retry-after'),
    body: (await answer.json()) as Said['body'],
  }
}

/** Asks again until the service is up to it. */
async function insist(simulator: Simulator, key: string): Promise<Said> {
  for (let left = 300; ; left--) {
    const said = await say(simulator, key)
    if (said.status !== 503 || left === 0) return said
    await pause(50)
  }
}

describe.skipIf(!programs)('while PostgreSQL is away', () => {
  test('turns are refused, none is lost, and work goes on without a restart once it is back', async () => {
    await using postgres = await startPostgres()
    const store = await openStore(postgres.url)
    await using simulator = await createSimulator({ store, replica: { leaseMs: 600 }, control: true })
    expect((await insist(simulator, 'before it went')).status).toBe(200)

    const begun = say(simulator, 'while it goes')
    await postgres.pause()
    const met = await begun
    const refused = await say(simulator, 'while it is away')
    expect(refused).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) })
    expect(refused.body['error']).toEqual(expect.any(String))
    expect(Object.values(refused.body).filter((value) => typeof value !== 'string')).toEqual([])
    expect(JSON.stringify(refused.body)).not.toMatch(/postgres|127\.0\.0\.1/i)
    expect((await fetch(`${simulator.url}/healthz`)).status).toBe(503)
    // Longer than its lease: nobody else was there to take its tenants.
    await pause(1_000)
    await postgres.resume()

    expect((await insist(simulator, 'before it went')).replay).toBe('true')
    const again = await insist(simulator, 'while it goes')
    expect(again.status).toBe(200)
    // What was answered before stays answered; what was not may have been done all the same.
    expect(met.status === 200 ? ['true'] : ['true', null]).toContain(again.replay)
    expect(await insist(simulator, 'while it is away')).toMatchObject({ status: 200, replay: null })
    expect((await fetch(`${simulator.url}/healthz`)).status).toBe(200)
  })
})
