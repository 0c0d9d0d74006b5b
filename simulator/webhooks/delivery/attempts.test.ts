import { expect, it } from 'vitest'
import { frozenTenant, hook, receive, type Script } from './outbox.testkit.ts'
import type { DeliveryRules } from '../rules.ts'

/** A tenant with one webhook, under other rules; one event happens, and a minute passes. */
async function under(rules: Partial<DeliveryRules>, ...answers: readonly Script[]) {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  Object.assign(tenant.state.rules, rules)
  receiver.script('/', ...answers)
  const webhook = hook(tenant, `${receiver.url}/`)
  const [emitted = ''] = tenant.emit('leads.submit')
  await tenant.clock.advance(60_000)
  return { receiver, tenant, webhook, emitted }
}

it('a modification changes the request of an attempt last, and knows which attempt it is', async () => {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  tenant.state.hooks = [
    {
      delivery: (message, { attempt, delivery }) => ({
        ...message,
        method: 'PUT',
        headers: [['x-about', `${attempt} of ${delivery.occurrence.event}`]],
        body: Buffer.from('{}'),
      }),
    },
  ]
  receiver.script('/', 500, 200)
  hook(tenant, `${receiver.url}/`)
  tenant.emit('leads.submit')
  await tenant.clock.advance(60_000)
  expect(
    receiver.taken.map(({ method, headers, body }) => [method, headers['x-about'], String(body)]),
  ).toEqual([
    ['PUT', '1 of leads.submit', '{}'],
    ['PUT', '2 of leads.submit', '{}'],
  ])
})

it('a request that cannot be made is a failed attempt, and says why', async () => {
  const envelope = (): never => {
    throw new Error('no such thing')
  }
  const { tenant } = await under({ envelope }, 200)
  expect(tenant.deliveries()[0]).toMatchObject({
    state: 'failed',
    attempts: [{ reason: 'No request could be made: no such thing' }, {}, {}],
  })
})

it('a redirect to a blocked address is not followed to it, nor for ever in a circle', async () => {
  const [receiver, tenant] = [
    await receive(),
    frozenTenant({ interpretations: { 'GAP-REDIRECT': 'followed' } }),
  ]
  receiver.script('/out', { to: 'http://169.254.169.254/' })
  receiver.script('/round', { to: '/round' })
  const [out, round] = [hook(tenant, `${receiver.url}/out`), hook(tenant, `${receiver.url}/round`)]
  tenant.emit('leads.submit')
  await tenant.clock.advance(0)
  expect(tenant.deliveries(out.id)[0]?.attempts[0]?.outcome).toBe('blocked')
  expect(tenant.deliveries(round.id)[0]?.attempts[0]).toMatchObject({ outcome: 'refused', status: 307 })
})
