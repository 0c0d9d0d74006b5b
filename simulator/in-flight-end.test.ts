import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCaller } from './testing/caller.testkit.ts'
import { turnsOf } from './chat/run.ts'
import { awaitBarrier } from './control/routes.ts'
import type { JsonObject } from './json.ts'
import { presentValues } from './edge/reply.ts'
import { createSimulator, type Simulator } from './simulator.ts'
import type { NetworkFaultAction } from './tenant/network-fault.ts'
import type { Tenant } from './tenant-handle.ts'
import { createRandom } from './tenant/random.ts'

let simulator: Simulator
beforeAll(async () => void (simulator = await createSimulator()))
afterAll(() => simulator.close())

const random = createRandom('in flight')

async function post(tenant: Tenant, path: string, body: JsonObject): Promise<string> {
  const response = await fetch(`${simulator.url}/api/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.keys.main}`, 'idempotency-key': random.word(8) },
    body: JSON.stringify(body),
  })
  return response.text()
}

const turn =
  (agent: 'plain' | 'slow', stream: boolean) =>
  (tenant: Tenant): Promise<string> =>
    post(tenant, `chat/${tenant.agents[agent]}`, { message: 'Hello.', stream })

const faulty = (what: NetworkFaultAction) => (tenant: Tenant) => {
  tenant.addNetworkFaults([{ do: what }])
  return turn('plain', true)(tenant)
}

/** Sends a request, whose response takes its time; some of it on a clock that stands still. */
const inFlight: Readonly<Record<string, (tenant: Tenant) => Promise<string>>> = {
  'a turn that takes its time': turn('slow', false),
  'a stream between two tokens': turn('slow', true),
  'a turn at a barrier': (tenant) => {
    tenant.barriers.hold({ at: 'before-commit' })
    return turn('plain', false)(tenant)
  },
  'a stream at a barrier': (tenant) => {
    tenant.barriers.hold({ at: 'after-token:1' })
    return turn('plain', true)(tenant)
  },
  'a response that waits on the wire': faulty({ is: 'wait', ms: 60_000 }),
  'a silence with comments': faulty({
    is: 'encode',
    as: { silence: { behind: 1, ms: 60_000, comments: true } },
  }),
  'a key that is about to be claimed': (tenant) => {
    tenant.state.rules.claimGapMs = 60_000
    return turn('plain', false)(tenant)
  },
  'a write of operations': (tenant) => {
    tenant.state.rules.runMs = 60_000
    return post(tenant, 'operation-executions/notes.create', { input: { text: 'Call Ida back.' } })
  },
}

const waits = ({ clock, barriers }: Tenant): boolean =>
  clock.pending > 0 || barriers.list().some(({ waiting }) => waiting > 0)

async function begun(work: (tenant: Tenant) => Promise<string>): Promise<[Tenant, Promise<string>]> {
  const tenant = simulator.createTenant({ clock: { mode: 'frozen' } })
  const text = work(tenant).catch((error: Error) => error.name)
  await expect.poll(() => waits(tenant)).toBe(true)
  return [tenant, text]
}

/** Without the clock, which goes on. */
const contentOf = (tenant: Tenant) => tenant.snapshot().entries.filter(({ kind }) => kind !== 'settings')

describe('the connection is broken off, and nothing goes on', () => {
  test.for(Object.entries(inFlight))('where a tenant is removed: %s', async ([, work]) => {
    const [tenant, text] = await begun(work)
    simulator.removeTenant(tenant)
    expect(await text).toBe('TypeError')
    expect([tenant.clock.pending, turnsOf(tenant.state)]).toEqual([0, 0])
  })

  test.for(Object.entries(inFlight))('where a tenant is reset: %s', async ([, work]) => {
    const [tenant, text] = await begun(work)
    const seen = tenant.journal.waitFor({}, { timeoutMs: 50 }).catch(String)
    tenant.reset()
    expect([tenant.clock.pending, turnsOf(tenant.state)]).toEqual([0, 0])
    const initial = contentOf(tenant)
    await tenant.clock.advance(60_000)
    expect(await text).toBe('TypeError')
    expect(await seen).toContain('none came')
    expect(contentOf(tenant)).toEqual(initial)
    expect([...tenant.state.accounts.values()].every(({ reserved }) => reserved === 0)).toBe(true)
    tenant.close()
  })
})

test('a turn that waits for nothing but its turn of the event loop ends with a reset', async () => {
  const { tenant, say } = createCaller()
  const said = say({ message: 'Hello.', idempotency_key: 'k' })
  tenant.reset()
  await expect(said).rejects.toThrow('drop')
  expect([tenant.credits('main'), tenant.state.keys.size]).toEqual([1_000_000, 0])
})

test('a wait for turns at a barrier ends with its tenant', async () => {
  const { tenant } = createCaller()
  const { id: barrierId } = tenant.barriers.hold({ at: 'before-run' })
  const [head, body] = [{ method: 'GET', path: '/reached?timeoutMs=60000', headers: [] }, new Uint8Array()]
  const from = { id: 1, connection: 1, server: 1, client: presentValues }
  const reached = awaitBarrier(tenant, { ...head, ...from, params: { barrierId }, body })
  tenant.close()
  expect(await reached).toMatchObject({ body: { came: 0, timedOut: true } })
})
