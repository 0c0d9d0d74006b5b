import { expect, it } from 'vitest'
import type { Tenant } from '../../tenant.ts'
import { frozenTenant, hook, receive } from './outbox.testkit.ts'

const minute = 60_000

async function failFive(tenant: Tenant): Promise<void> {
  for (let n = 0; n < 5; n++) tenant.emit('leads.submit')
  await tenant.clock.advance(minute)
}

it('five failed deliveries in a row pause an endpoint for ten minutes; then what was kept is delivered', async () => {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  receiver.script('/', 500)
  const webhook = hook(tenant, `${receiver.url}/`)
  await failFive(tenant)
  expect(receiver.taken).toHaveLength(15)
  const [kept] = tenant.emit('leads.submit')
  await tenant.clock.advance(8 * minute)
  expect(receiver.taken).toHaveLength(15)
  expect(webhook.isActive).toBe(true)
  receiver.release(200)
  await tenant.clock.advance(2 * minute)
  expect(receiver.taken.at(-1)?.headers['x-service-delivery-id']).toBe(kept)
  expect(tenant.deliveries().at(-1)?.state).toBe('delivered')
})

it('under the other reading what comes in a pause has failed, without an attempt', async () => {
  const [receiver, tenant] = [
    await receive(),
    frozenTenant({ interpretations: { 'GAP-PAUSED-EVENTS': 'dropped' } }),
  ]
  receiver.script('/', 500)
  hook(tenant, `${receiver.url}/`)
  await failFive(tenant)
  tenant.emit('leads.submit')
  expect(tenant.deliveries().at(-1)).toMatchObject({ state: 'failed', attempts: [] })
})

it('the pause is of one webhook, and ends with another endpoint', async () => {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  receiver.script('/bad', 500)
  const webhook = hook(tenant, `${receiver.url}/bad`)
  await failFive(tenant)
  const other = hook(tenant, `${receiver.url}/good`)
  tenant.emit('leads.submit')
  await tenant.clock.advance(0)
  expect(tenant.deliveries(other.id).at(-1)?.state).toBe('delivered')
  webhook.endpointUrl = `${receiver.url}/better`
  tenant.emit('leads.submit')
  await tenant.clock.advance(0)
  expect(receiver.taken.filter(({ path }) => path === '/better')).toHaveLength(2)
})

it('a delivery that waits for the end of a pause goes to the new endpoint as soon as that is set', async () => {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  receiver.script('/bad', 500)
  const webhook = hook(tenant, `${receiver.url}/bad`)
  await failFive(tenant)
  const [kept] = tenant.emit('leads.submit')
  webhook.endpointUrl = `${receiver.url}/better`
  tenant.state.outbox.changed(webhook.id)
  await tenant.clock.advance(0)
  expect(receiver.taken.at(-1)?.headers['x-service-delivery-id']).toBe(kept)
})

it('what failed at one endpoint does not count against the next', async () => {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  for (const path of ['/bad', '/worse']) receiver.script(path, 500)
  const webhook = hook(tenant, `${receiver.url}/bad`)
  for (let n = 0; n < 4; n++) tenant.emit('leads.submit')
  await tenant.clock.advance(minute)
  webhook.endpointUrl = `${receiver.url}/worse`
  tenant.emit('leads.submit')
  await tenant.clock.advance(minute)
  tenant.emit('leads.submit')
  await tenant.clock.advance(0)
  expect(receiver.taken.filter(({ path }) => path === '/worse')).toHaveLength(4)
})

it('a webhook that is removed before its fifth failure leaves no pause behind', async () => {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  receiver.script('/', 500)
  const webhook = hook(tenant, `${receiver.url}/`)
  for (let n = 0; n < 4; n++) tenant.emit('leads.submit')
  await tenant.clock.advance(minute)
  receiver.script('/', 'hold')
  tenant.emit('leads.submit')
  await receiver.arrived(13)
  tenant.state.rules.removes(webhook, tenant.state)
  receiver.release(500)
  await tenant.clock.advance(0)
  expect(tenant.state.outbox.counts.inFlight).toBe(0)
  expect(tenant.clock.pending).toBe(0)
})

it('a delivery in between that succeeds starts the count anew', async () => {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  hook(tenant, `${receiver.url}/`)
  for (const status of [500, 500, 500, 500, 200, 500, 500, 500, 500, 200]) {
    receiver.script('/', status)
    tenant.emit('leads.submit')
    await tenant.clock.advance(minute)
  }
  expect(receiver.taken).toHaveLength(8 * 3 + 2)
})

it('a sample waits for no pause, and brings none about', async () => {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  receiver.script('/', 500)
  const webhook = hook(tenant, `${receiver.url}/`)
  for (let n = 0; n < 5; n++) tenant.state.outbox.test(webhook)
  await tenant.clock.advance(minute)
  await failFive(tenant)
  receiver.release(200)
  const sample = tenant.state.outbox.test(webhook)
  await tenant.clock.advance(0)
  expect(receiver.taken).toHaveLength(15 + 15 + 1)
  expect(sample.state).toBe('delivered')
})
