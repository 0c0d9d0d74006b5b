import { describe, expect, it } from 'vitest'
import { frozenTenant, hook, ids, receive, type Receiver, type Script } from './outbox.testkit.ts'
import type { Tenant } from '../../tenant.ts'
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

describe('every decision is one of the rules', () => {
  const cases: readonly [what: string, rules: Partial<DeliveryRules>, answers: Script[], taken: number][] = [
    ['what counts as delivered', { isDelivered: (status) => status === 200 }, [204], 3],
    ['the number of attempts', { attemptsMost: 4 }, [500], 4],
    ['no retry after a status', { retries: ({ outcome }) => outcome === 'silent' }, [500], 1],
    ['a retry after success', { retries: ({ number }) => number < 3 }, [500, 200], 3],
    ['who is delivered to', { targets: () => [] }, [200], 0],
    ['whether anything goes out', { isOn: () => false }, [200], 0],
    ['which events are selected', { selects: () => false }, [200], 0],
  ]
  it.each(cases)('%s', async (_what, rules, answers, taken) => {
    const { receiver } = await under(rules, ...answers)
    expect(receiver.taken).toHaveLength(taken)
  })

  it('the waits: before the first attempt, for an answer, and between attempts', async () => {
    const { tenant } = await under(
      { firstWaitMs: 7_000, answerWaitMs: 3_000, backoffMs: () => 0, attemptsMost: 2 },
      'silent',
    )
    const [delivery] = tenant.deliveries()
    const since = (at: number): number => at - (delivery?.occurrence.at ?? 0)
    expect(delivery?.attempts.map(({ at }) => since(at))).toEqual([7_000, 10_000])
  })

  it('the ids of deliveries and of attempts', async () => {
    const { receiver, emitted } = await under(
      { deliveryId: () => 'whd_1', attemptId: ({ id }, number) => `${id}-${number}` },
      500,
    )
    expect(emitted).toBe('whd_1')
    expect(ids(receiver)).toEqual(['whd_1-1', 'whd_1-2', 'whd_1-3'])
  })

  it('the pause of an endpoint: whether there is one, whether it ends, and what it does to the webhook', async () => {
    const never = await under({ endpointPause: { after: Infinity, ms: 0 } }, 500)
    await failMore(never.tenant, never.receiver, 33)
    const forEver = await under({ endpointPause: { after: 1, ms: Infinity } }, 500)
    await failMore(forEver.tenant, forEver.receiver, 3)
    await forEver.tenant.clock.advance(24 * 3_600_000)
    expect(forEver.receiver.taken).toHaveLength(3)
    const off = await under({ endpointPause: { after: 1, ms: 1_000 }, pauseTurnsOff: true }, 500)
    expect(off.webhook.isActive).toBe(false)
  })
})

async function failMore(tenant: Tenant, receiver: Receiver, taken: number): Promise<void> {
  for (let n = 0; n < 10; n++) tenant.emit('leads.submit')
  await tenant.clock.advance(60_000)
  expect(receiver.taken).toHaveLength(taken)
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
