/** Webhooks that are created as they should not be, or are not created as they should. */
import { webhookEvents } from '../../../spec/index.ts'
import { isObject } from '../../json.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import { onList, onManaged, withoutFieldRule } from '../../modification/webhook-changes.ts'

const eventNames: readonly string[] = Object.keys(webhookEvents)
const lastEvent = eventNames.at(-1)

export const webhookCreationFaults = {
  'endpoint-taken-once': fault({
    title: 'A creation with the endpoint of another webhook of the agent changes that one.',
    breaks: ['HOOK-LIST-AS-SENT'],
    rules: (rules, { webhooks }) => ({
      created(webhook) {
        const { id, agent, name, events, description, customHeaders, endpointUrl } = webhook
        const first = [...webhooks.values()].find(
          (one) => one.id !== id && one.agent === agent && one.endpointUrl === endpointUrl,
        )
        if (!first) return rules.created(webhook)
        webhooks.delete(id)
        return rules.created(Object.assign(first, { name, events, description, customHeaders }))
      },
    }),
  }),
  'secret-of-endpoint': fault({
    title: 'A webhook gets the secret of an earlier one with its endpoint.',
    breaks: ['SIGN-SECRET-OWN'],
    rules: (rules) => {
      const secrets = new Map<string, string>()
      return {
        created(webhook) {
          webhook.secret = secrets.get(webhook.endpointUrl) ?? webhook.secret
          secrets.set(webhook.endpointUrl, webhook.secret)
          return rules.created(webhook)
        },
      }
    },
  }),
  'created-id-as-number': fault({
    title: 'A creation answers the id as a number.',
    breaks: ['HOOK-CREATE'],
    ...onManaged('webhook-create', (body) => (isObject(body) ? { ...body, id: 4711 } : body)),
  }),
  'last-event-refused': fault({
    title: 'The last event of the list cannot be selected.',
    breaks: ['HOOK-CREATE-EVENTS'],
    rules: ({ fieldRules }) => ({
      fieldRules: [
        ...fieldRules,
        {
          name: 'not-the-last-event',
          objects: ({ events }) =>
            Array.isArray(events) && events.some((event) => event === lastEvent) ? 'No such event.' : null,
        },
      ],
    }),
  }),
  'events-cut-at-ten': fault({
    title: 'Of more than ten events only the first ten are selected.',
    breaks: ['HOOK-CREATE-EVENTS', 'HOOK-LIST-AS-SENT'],
    rules: (rules) => ({
      created: (webhook) => {
        webhook.events = webhook.events.slice(0, 10)
        return rules.created(webhook)
      },
    }),
  }),
  'unknown-event-taken': fault({
    title: 'An event that does not exist can be selected.',
    breaks: ['HOOK-CREATE-UNKNOWN-EVENT'],
    rules: withoutFieldRule('events-known'),
  }),
  'retired-event-taken': fault({
    title: 'The older name of an event can be selected.',
    breaks: ['HOOK-CREATE-RETIRED-EVENT'],
    rules: withoutFieldRule('events-retired'),
  }),
  'description-required': fault({
    title: 'A webhook needs a description.',
    breaks: ['HOOK-CREATE-NO-DESCRIPTION'],
    rules: ({ requiredFields }) => ({ requiredFields: [...requiredFields, 'description'] }),
  }),
  'undescribed-not-listed': fault({
    title: 'A webhook without a description is created and never listed.',
    breaks: ['HOOK-LIST-AS-SENT'],
    ...onList((webhooks) => webhooks.filter(({ description }) => description !== undefined)),
  }),
  'endpoint-taken-over': fault({
    title: 'A webhook with the endpoint of another one replaces it.',
    breaks: ['HOOK-LIST-AS-SENT'],
    rules: (rules, { webhooks }) => ({
      created: (webhook) => {
        for (const { id, endpointUrl } of webhooks.values())
          if (endpointUrl === webhook.endpointUrl && id !== webhook.id) webhooks.delete(id)
        return rules.created(webhook)
      },
    }),
  }),
} as const satisfies Record<string, Fault>
