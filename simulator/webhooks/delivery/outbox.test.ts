import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { WebhookDelivery } from './delivery.ts'
import { frozenTenant, hook, ids, receive, type Script } from './outbox.testkit.ts'

const times = ({ occurrence, attempts }: WebhookDelivery): readonly [number, number][] =>
  attempts.map(({ number, at }) => [number, at - occurrence.at])

it('tries three times on the time of its tenant, under one id, and then gives up', async () => {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  receiver.script('/a', 500)
  const webhook = hook(tenant, `${receiver.url}/a`)
  const [id] = tenant.emit('leads.submit')
  await tenant.clock.advance(60_000)
  const [delivery] = tenant.deliveries(webhook.id)
  expect(delivery?.state).toBe('failed')
  expect(delivery && times(delivery)).toEqual([
    [1, 0],
    [2, 2_000],
    [3, 6_000],
  ])
  expect(ids(receiver)).toEqual([id, id, id])
  expect(tenant.state.outbox.counts).toMatchObject({ waiting: 0, inFlight: 0, failed: 1 })
})

describe('what counts as delivered', () => {
  const cases: readonly [answer: Script, outcome: string, attempts: number][] = [
    [200, 'delivered', 1],
    [204, 'delivered', 1],
    [299, 'delivered', 1],
    [304, 'refused', 3],
    [404, 'refused', 3],
    [410, 'refused', 3],
    [503, 'refused', 3],
    ['silent', 'silent', 3],
    ['cut', 'unreachable', 3],
  ]
  it.each(cases)('an endpoint that answers %s', async (answer, outcome, attempts) => {
    const [receiver, tenant] = [await receive(), frozenTenant()]
    receiver.script('/', answer)
    hook(tenant, `${receiver.url}/`)
    tenant.emit('leads.submit')
    await tenant.clock.advance(60_000)
    const [delivery] = tenant.deliveries()
    expect(delivery?.attempts.map((attempt) => attempt.outcome)).toEqual(Array(attempts).fill(outcome))
    expect(receiver.taken).toHaveLength(attempts)
  })

  it('an endpoint that never answers is given up after ten seconds of its tenant', async () => {
    const [receiver, tenant] = [await receive(), frozenTenant()]
    receiver.script('/', 'silent')
    hook(tenant, `${receiver.url}/`)
    tenant.emit('leads.submit')
    await tenant.clock.advance(60_000)
    const [delivery] = tenant.deliveries()
    expect(delivery?.attempts.map(({ tookMs }) => tookMs)).toEqual([10_000, 10_000, 10_000])
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([null, null, null])
    expect(delivery && times(delivery).map(([, at]) => at)).toEqual([0, 12_000, 26_000])
  })

  it('an endpoint where nobody listens, and one that is blocked', async () => {
    const tenant = frozenTenant()
    hook(tenant, `http://localhost:${await closedPort()}/`)
    hook(tenant, 'https://10.0.0.1/')
    tenant.emit('leads.submit')
    await tenant.clock.advance(60_000)
    expect(tenant.deliveries().map(({ attempts }) => attempts.map(({ outcome }) => outcome))).toEqual([
      Array(3).fill('unreachable'),
      Array(3).fill('blocked'),
    ])
  })

  it('a success at the second attempt, which has no third', async () => {
    const [receiver, tenant] = [await receive(), frozenTenant()]
    receiver.script('/', 500, 200)
    hook(tenant, `${receiver.url}/`)
    tenant.emit('leads.submit')
    await tenant.clock.advance(60_000)
    expect(tenant.deliveries()[0]?.state).toBe('delivered')
    expect(receiver.taken).toHaveLength(2)
  })
})

it('sends an event to the active webhooks of its agent that have selected it, and to no other', async () => {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  const [one, two] = [hook(tenant, `${receiver.url}/1`), hook(tenant, `${receiver.url}/2`)]
  hook(tenant, `${receiver.url}/other-event`, { events: ['order.confirmed'] })
  hook(tenant, `${receiver.url}/other-agent`, { agent: tenant.agents.second })
  hook(tenant, `${receiver.url}/off`, { isActive: false })
  expect(tenant.emit('leads.submit')).toHaveLength(2)
  await tenant.clock.advance(0)
  expect(receiver.taken.map(({ path }) => path).sort()).toEqual(['/1', '/2'])
  expect(tenant.deliveries().map(({ webhook }) => webhook)).toEqual([one, two])
  expect(new Set(ids(receiver)).size).toBe(2)
})

describe('order and turns', () => {
  it('events arrive one after the other, also where the endpoint takes its time', async () => {
    const [receiver, tenant] = [await receive(), frozenTenant()]
    hook(tenant, `${receiver.url}/`)
    const emitted = Array.from({ length: 30 }, () => tenant.emit('leads.submit')[0])
    await tenant.clock.advance(0)
    expect(ids(receiver)).toEqual(emitted)
  })

  it('without an order several are under way at once, up to the limit of a webhook', async () => {
    const [receiver, tenant] = [
      await receive(),
      frozenTenant({ interpretations: { 'GAP-EVENT-ORDER': 'any' } }),
    ]
    receiver.script('/', 'silent')
    hook(tenant, `${receiver.url}/`)
    for (let n = 0; n < 15; n++) tenant.emit('leads.submit')
    await receiver.arrived(10)
    expect(tenant.state.outbox.counts).toMatchObject({ inFlight: 10, waiting: 5 })
  })

  it('an endpoint that is silent holds up no other webhook', async () => {
    const [receiver, tenant] = [await receive(), frozenTenant()]
    receiver.script('/slow', 'silent')
    const slow = hook(tenant, `${receiver.url}/slow`)
    const fast = hook(tenant, `${receiver.url}/fast`)
    for (let n = 0; n < 20; n++) tenant.emit('leads.submit')
    await tenant.clock.advance(0)
    expect(tenant.deliveries(fast.id).every(({ state }) => state === 'delivered')).toBe(true)
    expect(tenant.deliveries(slow.id).every(({ attempts }) => attempts.length === 0)).toBe(true)
  })

  it('a delivery that failed holds up no other of its webhook', async () => {
    const [receiver, tenant] = [await receive(), frozenTenant()]
    receiver.script('/', 500, 200)
    hook(tenant, `${receiver.url}/`)
    const [[first], [second]] = [tenant.emit('leads.submit'), tenant.emit('leads.submit')]
    await tenant.clock.advance(10_000)
    expect(ids(receiver)).toEqual([first, second, first])
  })
})

describe('removal, reset and end', () => {
  it('of a removed webhook what is under way completes, and what waits is dropped', async () => {
    const [receiver, tenant] = [await receive(), frozenTenant()]
    receiver.script('/', 'hold')
    const webhook = hook(tenant, `${receiver.url}/`)
    for (let n = 0; n < 3; n++) tenant.emit('leads.submit')
    await receiver.arrived(1)
    tenant.state.webhooks.delete(webhook.id)
    tenant.state.outbox.forget(webhook.id)
    receiver.release(200)
    await tenant.clock.advance(60_000)
    expect(receiver.taken).toHaveLength(1)
    expect(tenant.state.outbox.counts).toEqual({
      waiting: 0,
      inFlight: 0,
      delivered: 1,
      failed: 0,
      dropped: 2,
    })
  })

  it('a delivery that failed once is not tried again after the removal', async () => {
    const [receiver, tenant] = [await receive(), frozenTenant()]
    receiver.script('/', 500)
    const webhook = hook(tenant, `${receiver.url}/`)
    tenant.emit('leads.submit')
    await tenant.clock.advance(1_000)
    tenant.state.outbox.forget(webhook.id)
    expect(tenant.clock.pending).toBe(0)
    await tenant.clock.advance(60_000)
    expect(receiver.taken).toHaveLength(1)
  })

  it('what waits for a webhook that is turned off does not go out', async () => {
    const [receiver, tenant] = [await receive(), frozenTenant()]
    receiver.script('/', 500)
    const webhook = hook(tenant, `${receiver.url}/`)
    tenant.emit('leads.submit')
    await tenant.clock.advance(1_000)
    tenant.setWebhookActive(webhook.id, false)
    await tenant.clock.advance(60_000)
    expect(receiver.taken).toHaveLength(1)
    expect(tenant.deliveries()[0]?.state).toBe('dropped')
  })

  it('a reset and a close break off what is under way, and leave no timer', async () => {
    for (const end of ['reset', 'close'] as const) {
      const [receiver, tenant] = [await receive(), frozenTenant()]
      receiver.script('/', 'silent')
      hook(tenant, `${receiver.url}/`)
      tenant.emit('leads.submit')
      await receiver.arrived(1)
      tenant[end]()
      await receiver.left(1)
      expect(tenant.clock.pending).toBe(0)
      expect(tenant.state.outbox.counts.inFlight).toBe(0)
    }
  })
})

it('once closed nothing goes out any more, whether anything did before', async () => {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  const webhook = hook(tenant, receiver.url)
  tenant.close()
  tenant.emit('leads.submit')
  expect(tenant.state.outbox.test(webhook).state).toBe('dropped')
  expect(tenant.state.outbox.counts).toMatchObject({ waiting: 0, inFlight: 0 })
})

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
