import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '../../spec/types/control.ts'
import { createSimulator, type Simulator } from '../index.ts'
import { misfits, type ControlSchema } from '../testing/answer.testkit.ts'
import { hook, receive } from '../testing/outbox.testkit.ts'

let simulator: Simulator
beforeAll(async () => void (simulator = await createSimulator({ seed: 'events', clock: { mode: 'frozen' } })))
afterAll(() => simulator.close())

async function ask(path: string, schema: ControlSchema, body?: unknown) {
  const answer = await fetch(`${simulator.url}/_sim/v1/tenants/${simulator.tenant.id}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const received: unknown = await answer.json()
  expect(misfits(schema, received)).toBe(null)
  return { status: answer.status, received }
}

it('an event is made to happen, shown with its attempts, and sent again under its id', async () => {
  const receiver = await receive()
  hook(simulator.tenant, `${receiver.url}/`)
  const emitted = await ask('/events', 'EmittedEvent', { event: 'leads.submit', payload: { a: 'é/1' } })
  await simulator.tenant.clock.advance(0)
  const [id = ''] = simulator.tenant.deliveries().map((delivery) => delivery.id)
  expect(emitted).toEqual({ status: 201, received: { deliveries: [id] } })
  const again = await ask(`/deliveries/${id}/again`, 'SentAgain', { sameId: true })
  expect(again).toEqual({ status: 201, received: { delivery: id } })
  await simulator.tenant.clock.advance(0)
  const { received } = await ask('/deliveries?webhookId=wh_1', 'DeliveryList')
  expect(received).toMatchObject({
    deliveries: [
      { id, state: 'delivered', attempts: [{ number: 1, status: 200 }] },
      { id, state: 'delivered' },
    ],
    counts: { delivered: 2 },
  })
  expect(receiver.taken.map(({ body }) => JSON.parse(String(body)).payload)).toEqual([
    { a: 'é/1' },
    { a: 'é/1' },
  ])
})

it('shows what each attempt sent, and the signature that belongs to it', async () => {
  const receiver = await receive()
  const { tenant } = simulator
  hook(tenant, `${receiver.url}/signed`, { customHeaders: [['X-Token', 'secret-b']] })
  const sentNow = async () => {
    const [id = ''] = tenant.emit('leads.submit', { payload: { a: 'é/1' } }).slice(-1)
    await tenant.clock.advance(0)
    const { received } = await ask(`/deliveries/${id}/attempts`, 'SentAttemptList')
    return (received as components['schemas']['SentAttemptList']).attempts
  }
  const genuine = await sentNow()
  const [taken] = receiver.taken.slice(-1)
  const signature = taken?.headers['x-service-signature']
  expect(genuine).toMatchObject([
    {
      number: 1,
      url: `${receiver.url}/signed`,
      body: taken?.body.toString(),
      bodyBase64: taken?.body.toString('base64'),
      signature: { sent: signature, computed: signature },
      result: { status: 200, outcome: 'delivered' },
    },
  ])
  expect(JSON.stringify(genuine)).not.toContain('secret-b')
  tenant.setModifications({ faults: ['signed-with-line-end'] })
  const [forged] = await sentNow()
  expect(forged?.signature.sent).toMatch(/^sha256=/)
  expect(forged?.signature.sent).not.toBe(forged?.signature.computed)
  tenant.setModifications({})
})

it('what does not exist is refused with words', async () => {
  expect(await ask('/events', 'ControlErrorBody', { event: 'action.executed' })).toMatchObject({
    status: 400,
  })
  expect(await ask('/events', 'ControlErrorBody', { event: 'leads.submit', agentId: 'x' })).toMatchObject({
    status: 400,
  })
  expect(await ask('/deliveries/whd_0/attempts', 'ControlErrorBody')).toMatchObject({ status: 404 })
  expect(await ask('/deliveries/whd_0/again', 'ControlErrorBody', {})).toMatchObject({ status: 404 })
})
