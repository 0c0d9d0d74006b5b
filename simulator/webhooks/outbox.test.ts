import { expect, it } from 'vitest'
import { frozenTenant, hook, receive } from './outbox.double.ts'

it('tries three times on the time of its world, under one id, and then gives up', async () => {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  const webhook = hook(tenant, `${receiver.url}/a`)
  receiver.script('/a', 500)
  const [id] = tenant.emit('leads.submit')
  await tenant.clock.advance(60_000)
  const [delivery] = tenant.world.outbox.deliveriesOf(webhook.id)
  const start = delivery?.occurrence.at ?? 0
  expect(delivery?.attempts.map(({ number, at, status }) => [number, at - start, status])).toEqual([
    [1, 0, 500],
    [2, 2_000, 500],
    [3, 6_000, 500],
  ])
  expect(delivery?.state).toBe('failed')
  expect(receiver.taken.map(({ headers }) => headers['x-service-delivery-id'])).toEqual([id, id, id])
})
