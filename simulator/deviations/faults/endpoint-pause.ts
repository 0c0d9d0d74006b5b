/** Endpoints that keep failing and are not paused, or not only paused. */
import type { Webhook } from '../../webhooks/webhook.ts'
import { fault, type Fault } from '../deviation.ts'

export const endpointPauseFaults = {
  'endpoint-never-paused': fault({
    title: 'An endpoint that keeps failing gets every delivery.',
    breaks: ['ATT-PAUSE'],
    rules: () => ({ endpointPause: { after: Number.POSITIVE_INFINITY, ms: 0 } }),
  }),
  'pause-of-every-webhook': fault({
    title: 'While the endpoint of one webhook is paused, no webhook of its agent is told of anything.',
    breaks: ['ATT-PAUSE-OWN'],
    rules: (rules, { webhooks, outbox, clock }) => {
      const isPaused = ({ id }: Webhook): boolean => clock.now() < (outbox.kept.health(id)?.pause?.until ?? 0)
      return {
        selects: (webhook, event) =>
          rules.selects(webhook, event) &&
          ![...webhooks.values()].some(
            (one) => one !== webhook && one.agent === webhook.agent && isPaused(one),
          ),
      }
    },
  }),
  'endpoint-paused-for-good': fault({
    title: 'An endpoint that was paused gets nothing ever after.',
    breaks: ['ATT-PAUSE-ENDS'],
    rules: (rules) => ({ endpointPause: { ...rules.endpointPause, ms: Number.POSITIVE_INFINITY } }),
  }),
  'pause-turns-off': fault({
    title: 'An endpoint that keeps failing turns its webhook off.',
    breaks: ['ATT-PAUSE-ACTIVE'],
    rules: () => ({ pauseTurnsOff: true }),
  }),
} as const satisfies Record<string, Fault>
