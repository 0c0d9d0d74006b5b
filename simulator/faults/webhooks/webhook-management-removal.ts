/** Webhooks that were removed or turned off and do not keep still, and samples that do not come. */
import { memberText } from '../../modification/changes.ts'
import type { WebhookDelivery } from '../../tenant/webhooks/delivery.ts'
import type { WebhookTenant } from '../../rules/webhooks.ts'
import type { Webhook } from '../../tenant/webhooks/webhook.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import { onList } from '../../modification/webhook-changes.ts'

/** A delivery that nobody sends. */
function unsent(webhook: Webhook, { rules, random, clock }: WebhookTenant): WebhookDelivery {
  const occurrence = {
    event: rules.testEvent(webhook),
    agent: webhook.agent,
    at: clock.now(),
    payload: {},
    test: true,
  }
  return { id: rules.deliveryId(true, random), webhook, occurrence, attempts: [], state: 'dropped' }
}

const alike = (one: Webhook, other: Webhook): boolean =>
  one.events.some((event) => other.events.includes(event))

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
    remember: (state) => {
      const removed = new Set<string>()
      state.rules.removes = ({ id }) => void removed.add(id)
      // What is not on the list any more does not count.
      state.rules.webhooksPerAgent = Number.POSITIVE_INFINITY
      return onList((webhooks) => webhooks.filter(({ id }) => !removed.has(memberText(id))))
    },
  }),
  'inactive-still-delivers': fault({
    title: 'Turning a webhook off has no effect.',
    breaks: ['HOOK-INACTIVE'],
    rules: () => ({ isOn: () => true }),
  }),
  'one-off-all-off': fault({
    title: 'With one webhook all of its agent are off.',
    breaks: ['EVT-EVERY-WEBHOOK'],
    rules: (rules, { webhooks }) => ({
      isOn: (webhook) =>
        rules.isOn(webhook) &&
        [...webhooks.values()].every(({ agent, isActive }) => agent !== webhook.agent || isActive),
    }),
  }),
  'sample-for-all': fault({
    title: 'A sample goes to every webhook of the agent that has selected the same.',
    breaks: ['HOOK-TEST'],
    rules: (rules) => ({
      sendsTest: (webhook, state) => {
        for (const other of state.webhooks.values())
          if (other.id !== webhook.id && other.agent === webhook.agent && alike(other, webhook))
            rules.sendsTest(other, state)
        return rules.sendsTest(webhook, state)
      },
    }),
  }),
  'one-sample-for-an-endpoint': fault({
    title: 'An endpoint gets one sample, and of every other test the answer alone.',
    breaks: ['HOOK-TEST'],
    rules: (rules) => {
      const tried = new Set<string>()
      return {
        sendsTest(webhook, state) {
          const isFirst = !tried.has(webhook.endpointUrl)
          tried.add(webhook.endpointUrl)
          return isFirst ? rules.sendsTest(webhook, state) : unsent(webhook, state)
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
