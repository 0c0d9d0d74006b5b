/** Webhooks that somebody manages who may not. */
import type { Call } from '../../edge/reply.ts'
import { managementRefusalReply, withoutSession } from '../../webhooks/management/management.ts'
import { projectKeyOf } from '../../webhooks/management-rules.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import {
  isWebhookCreation,
  isLog,
  isRead,
  isRemoval,
  isWebhookTest,
  keyAccepted,
  onList,
  onManaged,
  withoutFieldRule,
} from '../../modification/webhook-changes.ts'
import { isObject } from '../../json.ts'

/** Anybody counts as a user, where `where` says so, unless there is a project key. */
const nobodyAccepted =
  (where: (call: Call) => boolean): NonNullable<Fault['rules']> =>
  (rules) => ({
    sessionOf: (call, state) => {
      const session = rules.sessionOf(call, state)
      if (session || !where(call) || projectKeyOf(call, state)) return session
      return [...state.sessions.values()][0] ?? null
    },
  })

/** Looks who calls only when the work is done: the answer is a refusal. */
const checkedTooLate = (where: (call: Call) => boolean): Pick<Fault, 'rules' | 'reply'> => ({
  rules: keyAccepted(where),
  reply: (reply, call, state) =>
    reply.about.operation.startsWith('webhook-') && where(call) && projectKeyOf(call, state)
      ? managementRefusalReply(state, withoutSession(state, call), reply.about)
      : reply,
})

export const webhookManagementFaults = {
  'webhooks-read-without-session': fault({
    title: 'Lists and logs of webhooks are there for everybody.',
    breaks: ['HOOK-NO-SESSION'],
    rules: nobodyAccepted(isRead),
  }),
  'key-refused-after-creation': fault({
    title: 'A project key is refused a creation after the webhook was made.',
    breaks: ['HOOK-KEY-CREATE'],
    ...checkedTooLate(isWebhookCreation),
  }),
  'project-key-removes-webhooks': fault({
    title: 'A project key may remove webhooks.',
    breaks: ['HOOK-KEY-EDIT', 'HOOK-NO-SESSION'],
    rules: keyAccepted(isRemoval),
  }),
  'project-key-lists-webhooks': fault({
    title: 'A project key may list webhooks.',
    breaks: ['HOOK-KEY-READ'],
    rules: keyAccepted((call) => isRead(call) && !isLog(call)),
  }),
  'project-key-tests-webhooks': fault({
    title: 'A project key may send samples.',
    breaks: ['HOOK-KEY-READ'],
    rules: keyAccepted(isWebhookTest),
  }),
} as const satisfies Record<string, Fault>

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
