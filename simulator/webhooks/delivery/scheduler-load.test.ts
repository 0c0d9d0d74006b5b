import { expect, it } from 'vitest'
import { frozenTenant, hook, receive } from '../../testing/outbox.testkit.ts'

it('ten thousand deliveries to a dead endpoint wait without a timer for each', async () => {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  receiver.script('/dead', 'cut')
  hook(tenant, `${receiver.url}/dead`)
  for (let n = 0; n < 10_000; n++) tenant.emit('leads.submit')
  const { concurrency } = tenant.state.rules
  await tenant.clock.advance(0)
  // Begun and failed once; the rest waits for them.
  expect(receiver.taken).toHaveLength(concurrency.webhook)
  expect(tenant.clock.pending).toBe(concurrency.webhook)
  expect(tenant.state.outbox.counts).toMatchObject({ waiting: 10_000, inFlight: 0 })
  await tenant.clock.advance(60_000)
  // The pause of the endpoint, and nothing else.
  expect(tenant.clock.pending).toBe(1)
})

it('the queue of a webhook has an end; what comes then is dropped and counted, and others go on', async () => {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  Object.assign(tenant.state.rules, { queueLimit: 3 })
  receiver.script('/slow', 'silent')
  const slow = hook(tenant, `${receiver.url}/slow`, { events: ['leads.submit'] })
  const fast = hook(tenant, `${receiver.url}/fast`, { events: ['message.sent'] })
  for (let n = 0; n < 10; n++) tenant.emit('leads.submit')
  expect(tenant.state.outbox.counts).toMatchObject({ inFlight: 1, waiting: 3, dropped: 6 })
  tenant.emit('message.sent')
  await tenant.clock.advance(0)
  expect(tenant.deliveries(fast.id)[0]?.state).toBe('delivered')
  expect(tenant.deliveries(slow.id).map(({ state }) => state)).not.toContain('dropped')
})

it('the log of a webhook remembers so many ended deliveries, and everything that has not ended', async () => {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  Object.assign(tenant.state.rules, { logLimit: 3 })
  const webhook = hook(tenant, `${receiver.url}/`)
  const emitted = Array.from({ length: 5 }, () => tenant.emit('leads.submit')[0] ?? '')
  await tenant.clock.advance(0)
  receiver.script('/', 500)
  tenant.emit('leads.submit')
  await tenant.clock.advance(0)
  expect(tenant.deliveries(webhook.id).map(({ state }) => state)).toEqual([
    'delivered',
    'delivered',
    'delivered',
    'waiting',
  ])
  expect(() => tenant.again(emitted[0] ?? '')).toThrow('There is no delivery')
})

it('payloads that wait, and those in the logs, have a limit of bytes', async () => {
  const retention = { deliveries: { most: 1_000, bytes: 50_000, ageMs: Infinity } }
  const [receiver, tenant] = [await receive(), frozenTenant({ retention })]
  const fast = hook(tenant, `${receiver.url}/fast`)
  const emit = (count: number): void => {
    for (let n = 0; n < count; n++) tenant.emit('leads.submit', { payload: { text: 'x'.repeat(10_000) } })
  }
  for (let rounds = 0; rounds < 2; rounds++) {
    emit(4)
    await tenant.clock.advance(0)
  }
  expect(tenant.state.outbox.counts).toMatchObject({ delivered: 8, dropped: 0 })
  expect(tenant.deliveries(fast.id)).toHaveLength(4)
  receiver.script('/slow', 'silent')
  hook(tenant, `${receiver.url}/slow`)
  emit(8)
  // The fifth of them passes the limit; both webhooks share its payload.
  expect(tenant.state.outbox.counts.dropped).toBe(7)
})

it('at most so many attempts of a tenant are under way at once, shared among its webhooks', async () => {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  Object.assign(tenant.state.rules, { concurrency: { state: 3, webhook: 10 } })
  for (const path of ['/1', '/2', '/3', '/4']) {
    receiver.script(path, 'hold')
    hook(tenant, `${receiver.url}${path}`)
  }
  tenant.emit('leads.submit')
  tenant.emit('leads.submit')
  await receiver.arrived(3)
  expect(tenant.state.outbox.counts).toMatchObject({ inFlight: 3, waiting: 5 })
  receiver.release(200)
  await tenant.clock.advance(0)
  expect(
    receiver.taken
      .slice(0, 4)
      .map(({ path }) => path)
      .sort(),
  ).toEqual(['/1', '/2', '/3', '/4'])
  expect(tenant.state.outbox.counts).toMatchObject({ delivered: 8, waiting: 0 })
})
