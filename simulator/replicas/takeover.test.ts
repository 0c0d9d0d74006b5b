import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSimulator, type FaultId } from '../index.ts'
import { createMemoryStore } from '../store/memory.ts'
import { createFellows, type Fellow, type Fellows, type Said } from './replicas.testkit.ts'

const leaseMs = 10_000

let fellows: Fellows
let owner: Fellow
let other: Fellow

beforeEach(async () => {
  fellows = createFellows()
  owner = await fellows.join()
  other = await fellows.join()
})
afterEach(() => fellows[Symbol.asyncDispose]())

const isReplay = ({ headers }: Said): boolean => headers.get('x-service-idempotent-replay') === 'true'
const execution = ({ simulator }: Fellow): number => simulator.tenants.length

test('an owner that dies leaves its tenant alone until its lease is over, and its turn uncertain', async () => {
  await other.chat({ key: 'done' })
  await owner.control('POST', '/barriers', { point: 'before-commit', idempotencyKey: 'held' })
  const held = other.chat({ key: 'held' }).catch(() => 'dropped')
  await owner.simulator.tenant.barriers.list()[0]?.reached()
  await owner.simulator.tenant.state.changes.settled()
  owner.kill()
  expect(await held).toBe('dropped')

  const early = await other.chat({ key: 'held' })
  expect(early.status).toBe(503)
  expect(early.headers.get('retry-after')).toBe('1')
  expect(Object.values(early.body).every((member) => typeof member === 'string')).toBe(true)
  expect(execution(other)).toBe(0)
  await other.chat({ key: 'held' })
  expect(other.notices).toEqual([expect.stringContaining(`no replica answers at ${owner.simulator.url}: `)])

  await fellows.pass(leaseMs)
  const late = await other.chat({ key: 'held' })
  expect(late.status).toBe(409)
  expect(late.text).toContain('UNCERTAIN')
  expect(isReplay(await other.chat({ key: 'done' }))).toBe(true)
  expect((await other.control('GET', '')).body['accounts']).toContainEqual(
    expect.objectContaining({ credits: 999_999 }),
  )
})

test('deliveries of a replica that died are taken over, with their ids, as soon as they can be read, though nobody asks', async () => {
  const came: (string | undefined)[] = []
  let answers = 500
  await using endpoint = createServer((request, response) => {
    came.push(request.headers['x-service-delivery-id']?.toString())
    response.writeHead(answers).end()
  }).listen(0, '127.0.0.1')
  await once(endpoint, 'listening')
  const { port } = endpoint.address() as AddressInfo
  const { agents, sessions } = owner.simulator.names
  await fetch(`${other.simulator.url}/api/agents/${agents.plain}/webhooks`, {
    method: 'POST',
    headers: { cookie: `session=${sessions.main}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Mine',
      endpoint_url: `http://localhost:${port}/`,
      events: ['leads.submit'],
    }),
  })
  const first = once(endpoint, 'request')
  await owner.control('POST', '/events', { event: 'leads.submit' })
  await first
  await owner.simulator.tenant.state.changes.settled()
  owner.kill()
  answers = 200
  const second = once(endpoint, 'request')
  other.reach = 'unread'
  await fellows.pass(leaseMs + 3_000)
  expect(execution(other)).toBe(0)
  other.reach = 'well'
  await fellows.pass(3_000)
  await second
  expect(new Set(came).size).toBe(1)
  expect(execution(other)).toBe(1)
})

test('trouble that was met is over, though its owner died at once', async () => {
  await owner.control('POST', '/network-faults', { networkFaults: [{ do: { is: 'cut', when: 'before' } }] })
  await expect(owner.open()).rejects.toThrow('fetch failed')
  await owner.simulator.tenant.state.changes.settled()
  owner.kill()
  await fellows.pass(leaseMs)
  expect((await other.chat()).status).toBe(200)
})

test('a replica that cannot renew its lease stops before others take its tenants, and never answers for them again', async () => {
  await owner.chat({ key: 'before' })
  owner.reach = 'away'
  await fellows.pass(leaseMs)
  expect((await owner.chat({ key: 'before' })).status).toBe(503)
  expect(isReplay(await other.chat({ key: 'before' }))).toBe(true)
  await other.chat({ key: 'meanwhile' })
  owner.reach = 'well'
  await fellows.pass(leaseMs)
  await vi.waitFor(() => expect(execution(owner)).toBe(0))
  expect(isReplay(await owner.chat({ key: 'meanwhile' }))).toBe(true)
  expect(execution(other)).toBe(1)
})

test('a lease that lapsed and that nobody used goes on with the same tenants', async () => {
  await owner.chat({ key: 'before' })
  const [state] = owner.simulator.tenants
  owner.reach = 'away'
  await fellows.pass(leaseMs)
  expect((await owner.chat()).status).toBe(503)
  owner.reach = 'well'
  await fellows.pass(2_000)
  expect(isReplay(await owner.chat({ key: 'before' }))).toBe(true)
  expect(owner.simulator.tenants).toEqual([state])
  expect(owner.notices).toEqual([expect.stringContaining('the store is away: '), 'the store is back: memory'])
})

test('while the store is away everything is refused, and goes on without a restart when it is back', async () => {
  // Where events are remembered, a turn that answers as JSON has a log of them, too.
  owner.simulator.tenant.setModifications({ interpretations: { 'GAP-REPLAY-TOKENS': 'with-tokens' } })
  await owner.chat({ key: 'before' })
  owner.reach = 'away'
  const refused = await owner.chat({ key: 'during' })
  expect(refused.status).toBe(503)
  expect(refused.text).toMatch(/store is away\. Send it again/)
  expect(refused.text).not.toContain('memory')
  const health = await fetch(`${owner.simulator.url}/healthz`)
  expect([health.status, await health.json()]).toEqual([503, { status: 'store-away' }])
  expect((await owner.chat({ key: 'before' })).status).toBe(503)
  expect((await owner.control('GET', '')).status).toBe(503)
  const unmade = await owner.control('POST', '/_sim/v1/tenants', {})
  expect([unmade.status, unmade.body]).toEqual([503, { error: 'The store is away.' }])
  owner.reach = 'well'
  await vi.waitFor(
    async () => expect((await fetch(`${owner.simulator.url}/healthz`)).status).toBe(200),
    5_000,
  )
  expect((await owner.chat({ key: 'before' })).status).toBe(200)
  expect(isReplay(await other.chat({ key: 'during' }))).toBe(true)
})

test('a tenant that nobody asks for is put down, and taken up again as it was', async () => {
  await owner.chat({ key: 'before' })
  await fellows.pass(70_000)
  expect(execution(owner)).toBe(0)
  expect(isReplay(await other.chat({ key: 'before' }))).toBe(true)
  expect(execution(owner) + execution(other)).toBe(1)
})

test('a replica that ends hands its tenants over at once', async () => {
  await other.chat({ key: 'before' })
  await owner.simulator.close()
  expect(isReplay(await other.chat({ key: 'before' }))).toBe(true)
  expect(execution(other)).toBe(1)
})

test('a tenant is handed over when its last answer has ended, and not before', async () => {
  const barrier = owner.simulator.tenant.barriers.hold({ at: 'before-commit' })
  const held = other.chat({ key: 'held' })
  await barrier.reached()
  const drained = owner.simulator.drain()
  barrier.release()
  expect((await held).status).toBe(200)
  expect(await drained).toEqual({ answers: 0, turns: 0, deliveries: 0 })
  expect(isReplay(await other.chat({ key: 'held' }))).toBe(true)
  expect([execution(owner), execution(other)]).toEqual([0, 1])
})

test('what a store cannot keep of a tenant is refused with its name', async () => {
  const networkFaults = [{ match: {}, trouble: { is: 'cut', when: 'before' }, times: Infinity }] as never
  await expect(owner.simulator.addTenant({ networkFaults })).rejects.toThrow(
    'The option networkFaults cannot be kept',
  )
  expect(() => owner.simulator.createTenant()).toThrow('addTenant')
  expect(() => other.simulator.tenant).toThrow('is owned by another replica')
})

test('a replica that has the address of another says so once', async () => {
  const { url } = owner.simulator
  const twin = await fellows.join({ replica: { address: url } })
  expect((await twin.chat()).status).toBe(503)
  await twin.chat()
  expect(twin.notices).toEqual([expect.stringContaining(`another replica is at ${url}, as this one is: `)])
})

test('a replica that others cannot reach does not begin', async () => {
  await expect(fellows.join({ host: '0.0.0.0', control: false })).rejects.toThrow('cannot ask 0.0.0.0')
})

test('whoever begins with other options means those, and the same ones leave what was set meanwhile', async () => {
  const store = createMemoryStore()
  const seen: (readonly FaultId[])[] = []
  const starts: readonly (readonly FaultId[])[] = [['replay-unmarked'], ['replay-unmarked'], []]
  for (const faults of starts) {
    const simulator = await createSimulator({ store, faults })
    const { tenant } = simulator
    seen.push(tenant.faults)
    tenant.setModifications({ faults: [...faults, 'replay-charged'] })
    await simulator.close()
  }
  expect(seen).toEqual([['replay-unmarked'], ['replay-unmarked', 'replay-charged'], []])
})

test('a tenant that is being deleted is not taken up by who asks for it meanwhile', async () => {
  const [store, written] = [createMemoryStore(), Promise.withResolvers<void>()]
  const remove = store.remove.bind(store)
  store.remove = (...given) => written.promise.then(() => remove(...given))
  const asked = vi.spyOn(store, 'tenantOf')
  await using simulator = await createSimulator({ store })
  const tenant = await simulator.addTenant()
  const { id, keys, agents } = tenant
  const removed = simulator.removeTenant(tenant)
  const said = fetch(`${simulator.url}/api/v1/chat/${agents.plain}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.main}` },
  })
  await vi.waitFor(() => expect(asked).toHaveBeenCalled())
  await tenant.clock.yield()
  written.resolve()
  await removed
  expect((await said).status).toBe(401)
  expect(await store.tenants()).not.toContain(id)
})
