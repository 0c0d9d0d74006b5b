import { describe, expect, it } from 'vitest'
import { frozenTenant, hook, ids, receive } from './outbox.testkit.ts'

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
