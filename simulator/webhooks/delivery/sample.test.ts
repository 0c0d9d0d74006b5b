import { expect, it } from 'vitest'
import { frozenTenant, hook, ids, receive } from './outbox.testkit.ts'

it('a sample goes out at once, selected or not, under an id of its own kind', async () => {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  const webhook = hook(tenant, `${receiver.url}/`, { events: ['order.confirmed', 'leads.submit'] })
  const { id } = tenant.state.outbox.test(webhook)
  await tenant.clock.advance(0)
  expect(id).toMatch(/^test_\w{32}$/)
  expect(ids(receiver)).toEqual([id])
  const { payload, ...envelope } = JSON.parse(String(receiver.taken[0]?.body))
  expect(payload).toMatchObject({ _test: true })
  expect(envelope).toEqual({
    eventType: 'order.confirmed',
    chatbotId: webhook.agent,
    timestamp: '2030-01-01T00:00:00.000Z',
  })
})

it('a sample overtakes what waits for a silent endpoint', async () => {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  receiver.script('/', 'silent', 200)
  const webhook = hook(tenant, `${receiver.url}/`)
  for (let n = 0; n < 5; n++) tenant.emit('leads.submit')
  const sample = tenant.state.outbox.test(webhook)
  await tenant.clock.advance(0)
  expect(sample.state).toBe('delivered')
})

it('under other interpretations it is leads.submit, is not marked, is tried once and is not logged', async () => {
  const interpretations = {
    'GAP-TEST-EVENT': 'leads',
    'GAP-TEST-FLAG': 'none',
    'GAP-TEST-RETRY': 'once',
  } as const
  const [receiver, tenant] = [await receive(), frozenTenant({ interpretations })]
  receiver.script('/', 500)
  const webhook = hook(tenant, `${receiver.url}/`, { events: ['order.confirmed'] })
  const sample = tenant.state.outbox.test(webhook)
  await tenant.clock.advance(60_000)
  expect(sample.state).toBe('failed')
  expect(receiver.taken.map(({ headers }) => headers['x-service-event'])).toEqual(['leads.submit'])
  expect(String(receiver.taken[0]?.body)).not.toContain('_test')
  expect(tenant.deliveries()).toEqual([])
})

it('a webhook that is turned off gets no sample either', async () => {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  const webhook = hook(tenant, `${receiver.url}/`, { isActive: false })
  expect(tenant.state.outbox.test(webhook).state).toBe('dropped')
  await tenant.clock.advance(0)
  expect(receiver.taken).toEqual([])
})

it.each([
  ['failure', 'failed', 0],
  ['followed', 'delivered', 1],
] as const)('a redirect under the interpretation %s has %s', async (interpretation, state, hops) => {
  const [receiver, tenant] = [
    await receive(),
    frozenTenant({ interpretations: { 'GAP-REDIRECT': interpretation } }),
  ]
  receiver.script('/old', { to: '/new' })
  hook(tenant, `${receiver.url}/old`)
  tenant.emit('leads.submit')
  await tenant.clock.advance(60_000)
  expect(tenant.deliveries()[0]?.state).toBe(state)
  expect(receiver.taken.filter(({ path }) => path === '/new')).toHaveLength(hops)
  expect(new Set(receiver.taken.map(({ method, body }) => `${method} ${body.toString('hex')}`)).size).toBe(1)
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
