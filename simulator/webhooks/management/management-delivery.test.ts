/** What the management routes change shows in the deliveries that follow, and these in the log. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Json } from '../../json.ts'
import { openManager, textAt, type Manager } from './management.testkit.ts'
import { receive } from '../delivery/outbox.testkit.ts'

let manager: Manager
beforeAll(async () => void (manager = await openManager({ seed: 'deliveries' })))
afterEach(() => manager.simulator.tenant.reset())
afterAll(() => manager.simulator.close())

/** The log, once nothing is under way any more. */
async function log(id: string): Promise<Json> {
  await manager.simulator.tenant.clock.advance(0)
  return (await manager.manage('GET', `/${id}/logs`)).body['logs'] ?? null
}

test('a test goes out at once and is logged like a live delivery', async () => {
  const receiver = await receive()
  const { id, secret } = await manager.create({ endpoint_url: `${receiver.url}/hook` })
  const tested = await manager.manage('POST', `/${id}/test`)
  await receiver.arrived(1)
  expect(textAt(tested, 'delivery_id')).toBe(receiver.taken[0]?.headers['x-service-delivery-id'])
  const entry = { event_type: 'order.confirmed', status_code: 200, success: true, retry_count: 0 }
  expect(await log(id)).toMatchObject([entry])
  expect((await manager.manage('GET', `/${id}/logs`)).text).not.toContain(secret)
})

test('a webhook that points to its own test route does not cause further deliveries', async () => {
  const { tenant, port } = manager.simulator
  const { id } = await manager.create({})
  const path = `/api/agents/${tenant.agents.plain}/webhooks/${id}/test`
  await manager.manage('PATCH', `/${id}`, {
    endpoint_url: `http://localhost:${port}${path}`,
    custom_headers: { Cookie: `session=${tenant.sessions.main}` },
  })
  expect(await manager.manage('POST', `/${id}/test`)).toMatchObject({ status: 200 })
  await tenant.clock.advance(60_000)
  const statuses = tenant.deliveries(id).map(({ attempts }) => attempts.map(({ status }) => status))
  expect(statuses).toEqual([[403, 403, 403]])
})

test('the log has a failed delivery and its retries', async () => {
  const receiver = await receive()
  const { id } = await manager.create({ endpoint_url: `${receiver.url}/bad` })
  receiver.script('/bad', 503)
  manager.simulator.tenant.emit('leads.submit')
  await manager.simulator.tenant.clock.advance(60_000)
  expect(receiver.taken).toHaveLength(3)
  const entry = { event_type: 'leads.submit', status_code: 503, success: false, retry_count: 2 }
  expect(await log(id)).toMatchObject([entry])
})

test('later deliveries go to the new endpoint with the new headers, for the new events only', async () => {
  const [old, fresh] = [await receive(), await receive()]
  const { id } = await manager.create({ endpoint_url: old.url, custom_headers: { 'X-Team': 'old' } })
  await manager.manage('PATCH', `/${id}`, {
    endpoint_url: fresh.url,
    events: ['payment.verified'],
    custom_headers: { 'X-Team': 'new' },
  })
  const { tenant } = manager.simulator
  expect(tenant.emit('leads.submit')).toEqual([])
  expect(tenant.emit('payment.verified')).toHaveLength(1)
  await fresh.arrived(1)
  expect(fresh.taken[0]?.headers).toMatchObject({ 'x-team': 'new', 'x-service-event': 'payment.verified' })
  expect(old.taken).toEqual([])
})

test('the headers of the service are sent once, whatever custom ones are called', async () => {
  const receiver = await receive()
  const evil = { 'X-SERVICE-Event': 'evil', 'user-agent': 'evil', HOST: 'evil' }
  const mine = { 'X-Mine': 'kept', 'X-Service-Team': 'kept' }
  const { id } = await manager.create({
    endpoint_url: receiver.url,
    custom_headers: { ...evil, ...mine },
  })
  await manager.manage('POST', `/${id}/test`)
  await receiver.arrived(1)
  expect(receiver.taken[0]?.raw.filter((text) => text === 'evil')).toEqual([])
  expect(receiver.taken[0]?.headers).toMatchObject({ 'x-mine': 'kept', 'x-service-team': 'kept' })
})
