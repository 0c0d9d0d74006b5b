/** Webhooks that are created as they should not be, or are not created as they should. */
import { isObject } from '../../json.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import { onList, onManaged, withoutFieldRule } from '../../modification/webhook-changes.ts'

export const webhookCreationFaults = {
  'created-id-as-number': fault({
    title: 'A creation answers the id as a number.',
    breaks: ['HOOK-CREATE'],
    ...onManaged('webhook-create', (body) => (isObject(body) ? { ...body, id: 4711 } : body)),
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
