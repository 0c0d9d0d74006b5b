/** Updates that change too little, too much or nothing. */
import { withoutMembers, sentBody } from '../../modification/changes.ts'
import type { JsonObject } from '../../json.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import { also, firstOf, onManaged, updates } from '../../modification/webhook-changes.ts'

/** What an update names is in its answer and nowhere else. */
const answeredOnly = (field: string): Pick<Fault, 'rules' | 'reply'> => ({
  rules: (rules) => ({ changes: (fields, state) => rules.changes(withoutMembers(fields, field), state) }),
  ...onManaged('webhook-update', (body, call) => {
    const named: JsonObject = sentBody(call)
    return also(body, field in named ? { [field]: named[field] ?? null } : {})
  }),
})

export const webhookUpdateFaults = {
  'update-of-name-answered-only': fault({
    title: 'A new name is in the answer to the update and never in the list.',
    breaks: ['HOOK-UPDATE-NAME'],
    ...answeredOnly('name'),
  }),
  'update-of-headers-answered-only': fault({
    title: 'New custom headers are in the answer to the update and on no delivery.',
    breaks: ['HOOK-UPDATE-HEADERS'],
    ...answeredOnly('custom_headers'),
  }),
  'headers-of-first-delivery': fault({
    title: 'A webhook keeps sending the custom headers of its first delivery.',
    breaks: ['HOOK-UPDATE-HEADERS'],
    rules: (rules) => {
      const first = firstOf(({ customHeaders }) => customHeaders)
      return {
        deliveryHeaders: (delivery, ...rest) => {
          const webhook = { ...delivery.webhook, customHeaders: first(delivery.webhook) }
          return rules.deliveryHeaders({ ...delivery, webhook }, ...rest)
        },
      }
    },
  }),
  'endpoint-of-first-delivery': fault({
    title: 'A new endpoint is listed, and deliveries go to that of the first one.',
    breaks: ['HOOK-UPDATE-ENDPOINT'],
    remember: () => {
      const first = firstOf(({ endpointUrl }) => endpointUrl)
      return { delivery: (message, { delivery }) => ({ ...message, url: first(delivery.webhook) }) }
    },
  }),
  'events-of-first-emission': fault({
    title: 'New events are listed, and those that were selected first are sent.',
    breaks: ['HOOK-UPDATE-EVENTS'],
    rules: () => {
      const first = firstOf(({ events }) => events)
      return { selects: (webhook, event) => first(webhook).includes(event) }
    },
  }),
  'update-mints-secret': fault({
    title: 'Every update makes a new secret.',
    breaks: ['HOOK-UPDATE-REST'],
    rules: updates((given, rules, { random }) => ({ ...given, secret: rules.newSecret(random) })),
  }),
  'new-endpoint-mints-secret': fault({
    title: 'A webhook gets a new secret with a new endpoint.',
    breaks: ['HOOK-UPDATE-REST'],
    rules: updates((given, rules, { random }) =>
      given.endpointUrl === undefined ? given : { ...given, secret: rules.newSecret(random) },
    ),
  }),
  'update-resets-description': fault({
    title: 'An update takes the description away.',
    breaks: ['HOOK-UPDATE-REST'],
    rules: updates((given) => ({ description: null, ...given })),
  }),
  'update-turns-on': fault({
    title: 'An update turns a webhook on that was turned off.',
    breaks: ['HOOK-UPDATE-REST'],
    rules: updates((given) => ({ isActive: true, ...given })),
  }),
  'update-shows-secret': fault({
    title: 'The answer to an update has the secret.',
    breaks: ['HOOK-UPDATE-NO-SECRET'],
    rules: (rules) => ({
      updated: (webhook, state) => ({
        status: 200,
        body: also(rules.updated(webhook, state).body ?? {}, { secret_key: webhook.secret }),
      }),
    }),
  }),
} as const satisfies Record<string, Fault>
