/** Webhooks that go wrong only after a certain course of requests. */
import { fault, type Fault } from '../../modification/modification.ts'
import { afterUpdate, firstOf, onList } from '../../modification/webhook-changes.ts'
import type { JsonObject } from '../../json.ts'
import type { Webhook } from '../../tenant/webhooks/webhook.ts'
import type { TenantState } from '../../rules/tenant-state.ts'

const tenMinutesMs = 600_000

/** What an update may leave alone. */
const members = ['name', 'endpointUrl', 'events', 'customHeaders'] as const

/** Those that were removed, of each tenant, with the time. */
const removedOf = new WeakMap<TenantState, (readonly [Webhook, number])[]>()

export const webhookModelFaults = {
  'removed-webhooks-return': fault({
    title: 'Ten minutes after a webhook was removed it is listed again.',
    breaks: ['HOOK-DELETE'],
    rules: (was, state) => {
      const removed: (readonly [Webhook, number])[] = []
      removedOf.set(state, removed)
      return {
        removes(webhook, ...rest) {
          removed.push([webhook, state.clock.now()])
          was.removes(webhook, ...rest)
        },
      }
    },
    ...onList((webhooks, state) => [
      ...webhooks,
      ...(removedOf.get(state) ?? [])
        .filter(([, at]) => state.clock.now() - at > tenMinutesMs)
        .map(([one]): JsonObject => state.rules.listed(one, state)),
    ]),
  }),
  'second-update-mints-secret': fault({
    title: 'The second update of a webhook makes a new secret.',
    breaks: ['HOOK-UPDATE-REST'],
    rules: (was, state) => {
      const counts = new Map<string, number>()
      return {
        updated(webhook, ...rest) {
          const count = (counts.get(webhook.id) ?? 0) + 1
          counts.set(webhook.id, count)
          if (count === 2) webhook.secret = was.newSecret(state.random)
          return was.updated(webhook, ...rest)
        },
      }
    },
  }),
  'update-from-the-creation': fault({
    title: 'A second update sets back to its creation whatever it does not name.',
    breaks: ['HOOK-UPDATE-REST', 'HOOK-UPDATE-ENDPOINT', 'HOOK-UPDATE-HEADERS'],
    rules: (was, state) => {
      const first = firstOf((webhook) => ({ ...webhook }))
      return afterUpdate((webhook, before) => {
        const made = first(before)
        for (const name of members)
          if (webhook[name] === before[name]) Object.assign(webhook, { [name]: made[name] })
      })(was, state)
    },
  }),
} as const satisfies Record<string, Fault>
