/** Webhooks that were removed or turned off and do not keep still, and samples that do not come. */
import { textOf } from '../changes.ts'
import type { Delivery } from '../../webhooks/delivery.ts'
import type { Webhook } from '../../webhooks/webhook.ts'
import type { World } from '../../world/world.ts'
import { fault, type Fault } from '../deviation.ts'
import { onList } from '../webhook-changes.ts'

/** A delivery that nobody sends. */
function unsent(webhook: Webhook, { rules, random, clock }: World): Delivery {
  const occurrence = {
    event: rules.testEvent(webhook),
    agent: webhook.agent,
    at: clock.now(),
    payload: {},
    test: true,
  }
  return { id: rules.deliveryId(true, random), webhook, occurrence, attempts: [], state: 'dropped' }
}

const minuteMs = 60_000

export const webhookRemovalFaults = {
  'removed-stays-listed': fault({
    title: 'A removed webhook is only turned off.',
    breaks: ['HOOK-DELETE'],
    rules: () => ({
      removes: (webhook) => {
        webhook.isActive = false
      },
    }),
  }),
  'removed-still-delivers': fault({
    title: 'A removed webhook leaves the list and still gets events.',
    breaks: ['HOOK-DELETE-SILENT'],
    remember: (world) => {
      const removed = new Set<string>()
      world.rules.removes = ({ id }) => void removed.add(id)
      // What is not on the list any more does not count.
      world.rules.webhooksPerAgent = Number.POSITIVE_INFINITY
      return onList((webhooks) => webhooks.filter(({ id }) => !removed.has(textOf(id))))
    },
  }),
  'inactive-still-delivers': fault({
    title: 'Turning a webhook off has no effect.',
    breaks: ['HOOK-INACTIVE'],
    rules: () => ({ isOn: () => true }),
  }),
  'turned-off-after-a-minute': fault({
    title: 'A webhook that is turned off gets events for another minute.',
    breaks: ['HOOK-INACTIVE'],
    rules: (_rules, { clock }) => {
      const since = new Map<string, number>()
      return {
        isOn: ({ id, isActive }) => {
          const off = since.get(id) ?? clock.now()
          if (isActive) since.delete(id)
          else since.set(id, off)
          return isActive || clock.now() < off + minuteMs
        },
      }
    },
  }),
  'test-sends-nothing': fault({
    title: 'The test route answers and sends nothing.',
    breaks: ['HOOK-TEST'],
    rules: () => ({ sendsTest: unsent }),
  }),
  'test-sends-later': fault({
    title: 'A sample goes out only ten minutes after it was asked for.',
    breaks: ['HOOK-TEST'],
    rules: (rules, { clock }) => ({
      sendsTest: (webhook, world) => {
        clock.after(10 * minuteMs, 'late sample', () => void rules.sendsTest(webhook, world))
        return unsent(webhook, world)
      },
    }),
  }),
  'one-sample-for-an-endpoint': fault({
    title: 'An endpoint gets one sample, and of every other test the answer alone.',
    breaks: ['HOOK-TEST'],
    rules: (rules) => {
      const tried = new Set<string>()
      return {
        sendsTest(webhook, world) {
          const isFirst = !tried.has(webhook.endpointUrl)
          tried.add(webhook.endpointUrl)
          return isFirst ? rules.sendsTest(webhook, world) : unsent(webhook, world)
        },
      }
    },
  }),
  'test-breaks-down': fault({
    title: 'The test route sends a sample and breaks down before it answers.',
    breaks: ['HOOK-TEST'],
    reply: (reply, _call, { rules }) =>
      reply.kind === 'json' && reply.about.operation === 'webhook-test' && reply.status < 300
        ? { ...reply, status: 500, body: rules.errorLayout(null, 'Something went wrong.') }
        : reply,
  }),
} as const satisfies Record<string, Fault>
