/** What is on its way to a webhook when a process ends, and what the next one makes of it. */
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../store/memory.ts'
import { presentValues } from '../../server/call.ts'
import type { JsonObject } from '../../json.ts'
import type { Document } from '../../store/store.ts'
import type { Tenant, TenantOptions } from '../../tenant.ts'
import { webhookRoutes } from '../../webhooks/management/management.ts'
import type { WebhookDelivery } from '../../webhooks/delivery/delivery.ts'
import { hook, ids, receive, type Receiver, type Taken } from '../../webhooks/delivery/outbox.testkit.ts'
import type { Webhook } from '../../webhooks/webhook.ts'
import { documentsOf, startLife } from './deliveries.testkit.ts'
import type { Life } from '../life.testkit.ts'
import { keyTextOf } from '../page.ts'
import { codecs } from './codecs.ts'

const minute = 60_000

interface Setup {
  readonly tenant: Tenant
  readonly receiver: Receiver
  readonly webhook: Webhook
  /** Emits so many, and gives their ids. */
  readonly emit: (count: number) => readonly string[]
}

interface Row {
  readonly title: string
  /** Ids that have to go out again, in this order. */
  readonly before: (setup: Setup) => Promise<readonly string[]> | readonly string[]
  /** Where they go; default: where they went before. */
  readonly path?: string
  /** How long the next life waits for the first of them, in ms. Default 0. */
  readonly afterMs?: number
  readonly counts: object
  readonly options?: TenantOptions
}

async function tried({ tenant, receiver }: Setup, answer: number, advanceMs: number): Promise<void> {
  receiver.script('/', answer)
  await tenant.clock.advance(advanceMs)
}

/** As the user of the account does it, without a socket. */
async function patch({ state, sessions }: Tenant, { agent, id }: Webhook, fields: JsonObject): Promise<void> {
  const route = webhookRoutes.find(({ method }) => method === 'PATCH')
  const reply = await route?.handle(state, {
    id: 1,
    connection: 1,
    server: 1,
    method: 'PATCH',
    path: '/',
    client: presentValues,
    params: { agentId: agent, webhookId: id },
    headers: [['Cookie', `session=${sessions.main}`]],
    body: Buffer.from(JSON.stringify(fields)),
  })
  expect(reply).toMatchObject({ status: 200 })
}

const rows: readonly Row[] = [
  {
    title: 'under way, and waiting behind it',
    before: async ({ receiver, emit }) => {
      receiver.script('/', 'hold')
      const emitted = emit(3)
      await receiver.arrived(1)
      return emitted
    },
    counts: { waiting: 0, delivered: 3 },
  },
  {
    title: 'made, and not durable for longer than a moment',
    before: ({ emit }) => emit(2),
    counts: { delivered: 2 },
  },
  {
    title: 'in backoff, for what is left of it',
    before: async (setup) => {
      const emitted = setup.emit(1)
      await tried(setup, 500, 1_500)
      return emitted
    },
    afterMs: 500,
    counts: { delivered: 1 },
  },
  {
    title: 'waiting behind one in backoff, under the variant that sends one at a time',
    before: async (setup) => {
      const emitted = setup.emit(2)
      await tried(setup, 500, 1_500)
      return emitted
    },
    afterMs: 500,
    counts: { delivered: 2 },
    options: { variants: ['one-delivery-at-a-time'] },
  },
  {
    title: 'in the pause of an endpoint, for what is left of it',
    before: async (setup) => {
      setup.emit(5)
      await tried(setup, 500, minute)
      const emitted = setup.emit(2)
      await setup.tenant.clock.advance(minute)
      return emitted
    },
    afterMs: 8 * minute + 6_000,
    counts: { failed: 5, delivered: 2 },
  },
  {
    title: 'delivered',
    before: async (setup) => {
      setup.emit(2)
      await tried(setup, 200, 0)
      return []
    },
    counts: { delivered: 2 },
  },
  {
    title: 'failed',
    before: async (setup) => {
      setup.emit(1)
      await tried(setup, 500, minute)
      return []
    },
    counts: { failed: 1 },
  },
  {
    title: 'dropped, since the webhook was turned off',
    before: async (setup) => {
      setup.emit(1)
      await tried(setup, 500, 0)
      setup.tenant.setWebhookActive(setup.webhook.id, false)
      await tried(setup, 200, minute)
      return []
    },
    counts: { dropped: 1 },
  },
  {
    title: 'failed without an attempt, under the interpretation that drops what comes in a pause',
    before: async (setup) => {
      setup.emit(5)
      await tried(setup, 500, minute)
      setup.emit(1)
      return []
    },
    counts: { failed: 6 },
    options: { interpretations: { 'GAP-PAUSED-EVENTS': 'dropped' } },
  },
  {
    title: 'a sample',
    before: async ({ tenant, receiver, webhook }) => {
      receiver.script('/', 'hold')
      const { id } = tenant.state.outbox.test(webhook)
      await receiver.arrived(1)
      return [id]
    },
    counts: { delivered: 1 },
  },
  {
    title: 'a sample that is tried once, and was',
    before: async (setup) => {
      setup.tenant.state.outbox.test(setup.webhook)
      await tried(setup, 500, minute)
      return []
    },
    counts: { failed: 1 },
    options: { interpretations: { 'GAP-TEST-RETRY': 'once' } },
  },
  {
    title: 'delivered, and sent again under its id',
    before: async (setup) => {
      const [id = ''] = setup.emit(1)
      await tried(setup, 200, 0)
      setup.receiver.script('/', 'hold')
      setup.tenant.again(id, { sameId: true })
      await setup.receiver.arrived(2)
      return [id]
    },
    counts: { delivered: 2 },
  },
  {
    title: 'to an endpoint that was changed meanwhile',
    before: async ({ tenant, receiver, webhook, emit }) => {
      receiver.script('/', 'hold')
      const emitted = emit(2)
      await receiver.arrived(1)
      await tenant.state.changes.settled()
      await patch(tenant, webhook, { endpoint_url: `${receiver.url}/moved` })
      return emitted
    },
    path: '/moved',
    counts: { delivered: 2 },
  },
  {
    title: 'to a webhook that was removed meanwhile',
    before: async ({ tenant, receiver, webhook, emit }) => {
      receiver.script('/', 'hold')
      emit(2)
      await receiver.arrived(1)
      tenant.state.rules.removes(webhook, tenant.state)
      return []
    },
    counts: { waiting: 0, inFlight: 0 },
  },
  {
    title: 'before a reset',
    before: async ({ tenant, receiver, emit }) => {
      receiver.script('/', 'hold')
      emit(2)
      await receiver.arrived(1)
      tenant.reset()
      return []
    },
    counts: { waiting: 0, inFlight: 0, delivered: 0, dropped: 0 },
  },
]

function setupOf({ tenant }: Life, receiver: Receiver): Setup {
  return {
    tenant,
    receiver,
    webhook: hook(tenant, `${receiver.url}/`, { customHeaders: [['X-Mine', 'mine']] }),
    emit: (count) => Array.from({ length: count }, () => tenant.emit('leads.submit')).flat(),
  }
}

const isSigned = ({ headers, body }: Taken, { secret }: Webhook): boolean =>
  headers['x-service-signature'] === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** What a tenant would write now of its webhooks, their lanes, and these deliveries. */
function writtenBy({ state }: Tenant, deliveryIds: readonly string[]): readonly Document[] {
  const ids = {
    webhook: [...state.webhooks.keys()],
    endpoint: ['', ...state.webhooks.keys()],
    delivery: deliveryIds,
  }
  return (['delivery', 'endpoint', 'webhook'] as const).flatMap((kind) =>
    ids[kind].flatMap((id) => {
      const now = codecs[kind].write(state, id)
      return now ? [{ kind, id, place: now.place.number, body: keyTextOf(now.body, now.place) }] : []
    }),
  )
}

/** Every attempt that anybody knows of has a number of its own, from 1. */
const areNumbered = ({ attempts }: WebhookDelivery): boolean =>
  attempts.every(({ number }, index) => number === index + 1)

describe('of what a process leaves behind, the next one sends what has not ended, and nothing else', () => {
  it.each(rows)('$title', async ({ before, path = '/', afterMs = 0, counts, options }) => {
    const [store, receiver] = [createMemoryStore(), await receive()]
    const first = await startLife(store, options)
    const setup = setupOf(first, receiver)
    const expected = await before(setup)
    await first.writeBehind.flush()
    const documents = await documentsOf(store, ['delivery', 'endpoint', 'webhook'])
    const deliveries = documents.flatMap(({ kind, id }) => (kind === 'delivery' ? [id] : []))
    expect(writtenBy(first.tenant, deliveries)).toEqual(documents)
    first.die()
    const known = receiver.taken.slice()
    receiver.release(200)

    const second = await startLife(store, options)
    expect(writtenBy(second.tenant, deliveries)).toEqual(documents)
    await second.tenant.clock.advance(afterMs - 1)
    const early = afterMs > 0 ? receiver.taken.length : known.length
    expect(early).toBe(known.length)
    await second.tenant.clock.advance(20 * minute)

    expect(ids(receiver).slice(known.length)).toEqual(expected)
    const bodies = new Map(known.map(({ headers, body }) => [headers['x-service-delivery-id'], body]))
    for (const taken of receiver.taken.slice(known.length)) {
      const { headers, body } = taken
      expect([taken.path, headers['x-mine'], isSigned(taken, setup.webhook)]).toEqual([path, 'mine', true])
      expect(body).toEqual(bodies.get(headers['x-service-delivery-id']) ?? body)
    }
    expect(second.tenant.deliveries().every(areNumbered)).toBe(true)
    expect(second.tenant.state.outbox.counts).toMatchObject({ waiting: 0, inFlight: 0, ...counts })
  })
})
