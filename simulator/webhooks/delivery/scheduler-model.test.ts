/** Random interleavings of what can happen to webhooks while deliveries are on their way, in a time that stands still. */
import { expect, it } from 'vitest'
import type { Tenant } from '../../tenant-handle.ts'
import { createRandom, type Random } from '../../tenant/random.ts'
import type { WebhookDelivery } from '../../tenant/webhooks/delivery.ts'
import { frozenTenant, hook, receive, type Receiver, type Script } from '../../testing/outbox.testkit.ts'
import type { Webhook } from '../../tenant/webhooks/webhook.ts'

const hour = 3_600_000
const answers: readonly Script[] = [200, 200, 204, 500, 404, 'cut', 'hold']

interface Run {
  readonly tenant: Tenant
  readonly receiver: Receiver
  readonly random: Random
  readonly present: Webhook[]
  /** Every delivery that was made, as the outbox itself knows it. */
  readonly made: Map<string, WebhookDelivery>
  /** Those that were not under way when their webhook was removed, with how often they had been sent by then. */
  readonly neverAgain: Map<string, number>
  /** Webhooks that were turned off at any time: what waited for them may be dropped. */
  readonly wereOff: Set<string>
}

const pick = <T>(random: Random, from: readonly T[]): T | undefined => from[random.below(from.length)]
const sentOf = ({ receiver }: Run, id: string) =>
  receiver.taken.filter(({ headers }) => headers['x-service-delivery-id'] === id)

function emit({ tenant, made }: Run): void {
  const before = new Set(made.keys())
  const emitted = tenant.emit('leads.submit')
  expect(emitted.filter((id) => before.has(id))).toEqual([])
  for (const delivery of tenant.deliveries())
    if (emitted.includes(delivery.id)) made.set(delivery.id, delivery)
  expect(emitted.every((id) => made.has(id))).toBe(true)
}

function remove(run: Run): void {
  const { tenant, random, present, made, neverAgain } = run
  const webhook = pick(random, present)
  if (!webhook) return
  present.splice(present.indexOf(webhook), 1)
  tenant.state.rules.removes(webhook, tenant.state)
  for (const delivery of made.values())
    if (delivery.webhook === webhook && delivery.state !== 'in-flight')
      neverAgain.set(delivery.id, sentOf(run, delivery.id).length)
}

const steps: readonly ((run: Run) => unknown)[] = [
  emit,
  emit,
  emit,
  (run) => {
    const { tenant, random, present, made } = run
    const webhook = pick(random, present)
    if (!webhook) return
    const sample = tenant.state.outbox.test(webhook)
    made.set(sample.id, sample)
  },
  ({ tenant, random }) => tenant.clock.advance(random.below(5_000)),
  ({ tenant, random }) => tenant.clock.advance(random.below(900_000)),
  ({ receiver, random }) => receiver.release(pick(random, [200, 503]) ?? 200),
  ({ receiver, random }) => receiver.script(`/${random.below(3)}`, pick(random, answers) ?? 200),
  ({ tenant, receiver, random, present }) =>
    present.length < 5 &&
    present.push(hook(tenant, `${receiver.url}/${random.below(3)}`, { id: `wh_${random.uuid()}` })),
  ({ tenant, receiver, random, present }) => {
    const webhook = pick(random, present)
    if (!webhook) return
    webhook.endpointUrl = `${receiver.url}/${random.below(3)}`
    tenant.state.outbox.changed(webhook.id)
  },
  ({ tenant, random, present, wereOff }) => {
    const webhook = pick(random, present)
    if (!webhook) return
    wereOff.add(webhook.id)
    tenant.setWebhookActive(webhook.id, !webhook.isActive)
  },
  remove,
]

/** Every endpoint answers, and time goes on until nothing waits any more. */
async function comeToRest({ tenant, receiver, present }: Run): Promise<void> {
  for (const webhook of present) webhook.isActive = true
  receiver.release(200)
  for (let n = 0; n < 3; n++) await tenant.clock.advance(hour)
}

function judge(run: Run): void {
  const { tenant, made, present, neverAgain, wereOff } = run
  expect(tenant.state.outbox.counts).toMatchObject({ waiting: 0, inFlight: 0 })
  for (const { id, state, attempts, webhook } of made.values()) {
    const sent = sentOf(run, id)
    const dropped = wereOff.has(webhook.id) || !present.includes(webhook)
    expect([...(dropped ? ['dropped'] : []), 'delivered', 'failed'], id).toContain(state)
    expect(attempts.at(-1)?.outcome === 'delivered', `${id} is ${state}`).toBe(state === 'delivered')
    expect(state !== 'failed' || dropped || attempts.length === 3, `${id} failed too early`).toBe(true)
    expect(sent.length, id).toBeLessThanOrEqual(3)
    // Once broken off while it waited for a connection, an attempt is none that anybody saw.
    expect(sent.length, id).toBeLessThanOrEqual(attempts.length)
    expect(new Set(sent.map(({ body }) => body.toString('latin1'))).size, id).toBeLessThanOrEqual(1)
  }
  for (const [id, count] of neverAgain) expect(sentOf(run, id), `${id} after the removal`).toHaveLength(count)
}

it.each(['s3', 's6', 's15', 's24'])(
  'every event is delivered or has failed three times, whatever happens meanwhile: %s',
  async (seed) => {
    const [receiver, random, tenant] = [await receive(), createRandom(seed), frozenTenant({ seed })]
    const run: Run = {
      tenant,
      receiver,
      random,
      present: [],
      made: new Map(),
      neverAgain: new Map(),
      wereOff: new Set(),
    }
    for (let n = 0; n < 3; n++) run.present.push(hook(tenant, `${receiver.url}/${n}`))
    for (let n = 0; n < 120; n++) await pick(random, steps)?.(run)
    await comeToRest(run)
    judge(run)
    expect(run.made.size).toBeGreaterThan(20)
  },
)
