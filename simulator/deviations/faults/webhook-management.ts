/** Webhooks that somebody manages who may not, or that are created as they should not be. */
import { retiredWebhookEvent, webhookEvents } from '../../../spec/index.ts'
import type { Call } from '../../http/call.ts'
import { isObject } from '../../json.ts'
import { refusalReply, withoutSession } from '../../webhooks/management-refusal.ts'
import { projectKeyOf } from '../../webhooks/sessions.ts'
import { fault, type Fault } from '../deviation.ts'
import {
  isChange,
  isCreation,
  isLog,
  isRead,
  isRemoval,
  isTest,
  keyAccepted,
  onList,
  onManaged,
  withFieldRule,
  withoutFieldRule,
} from '../webhook-changes.ts'

/** Anybody counts as a user, where `where` says so, unless there is a project key. */
const nobodyAccepted =
  (where: (call: Call) => boolean): NonNullable<Fault['rules']> =>
  (rules) => ({
    sessionOf: (call, world) => {
      const session = rules.sessionOf(call, world)
      if (session || !where(call) || projectKeyOf(call, world)) return session
      return [...world.sessions.values()][0] ?? null
    },
  })

/** Looks who calls only when the work is done: the answer is a refusal. */
const checkedTooLate = (where: (call: Call) => boolean): Pick<Fault, 'rules' | 'reply'> => ({
  rules: keyAccepted(where),
  reply: (reply, call, world) =>
    reply.about.operation.startsWith('webhook-') && where(call) && projectKeyOf(call, world)
      ? refusalReply(world, withoutSession(world, call), reply.about)
      : reply,
})

const eventNames: readonly string[] = Object.keys(webhookEvents)
const lastEvent = eventNames.at(-1)

export const webhookManagementFaults = {
  'webhooks-without-session': fault({
    title: 'Somebody without any credentials manages webhooks.',
    breaks: ['HOOK-NO-SESSION'],
    rules: nobodyAccepted(() => true),
  }),
  'webhooks-read-without-session': fault({
    title: 'Lists and logs of webhooks are there for everybody.',
    breaks: ['HOOK-NO-SESSION'],
    rules: nobodyAccepted(isRead),
  }),
  'webhooks-removed-without-session': fault({
    title: 'The route that removes a webhook forgets to ask who calls.',
    breaks: ['HOOK-NO-SESSION'],
    rules: nobodyAccepted(isRemoval),
  }),
  'project-key-creates-webhooks': fault({
    title: 'A project key creates webhooks.',
    breaks: ['HOOK-KEY-CREATE'],
    rules: keyAccepted(isCreation),
  }),
  'key-refused-after-creation': fault({
    title: 'A project key is refused a creation after the webhook was made.',
    breaks: ['HOOK-KEY-CREATE'],
    ...checkedTooLate(isCreation),
  }),
  'project-key-changes-webhooks': fault({
    title: 'A project key may change webhooks, though neither create nor remove them.',
    breaks: ['HOOK-KEY-EDIT'],
    rules: keyAccepted(isChange),
  }),
  'project-key-removes-webhooks': fault({
    title: 'A project key may remove webhooks.',
    breaks: ['HOOK-KEY-EDIT'],
    rules: keyAccepted(isRemoval),
  }),
  'key-refused-after-change': fault({
    title: 'A project key is refused a change after it was made.',
    breaks: ['HOOK-KEY-EDIT'],
    ...checkedTooLate(isChange),
  }),
  'project-key-lists-webhooks': fault({
    title: 'A project key may list webhooks.',
    breaks: ['HOOK-KEY-READ'],
    rules: keyAccepted((call) => isRead(call) && !isLog(call)),
  }),
  'project-key-reads-logs': fault({
    title: 'A project key may read the log of a webhook.',
    breaks: ['HOOK-KEY-READ'],
    rules: keyAccepted(isLog),
  }),
  'project-key-tests-webhooks': fault({
    title: 'A project key may send samples.',
    breaks: ['HOOK-KEY-READ'],
    rules: keyAccepted(isTest),
  }),
  'key-refused-after-test': fault({
    title: 'A project key is refused a test after the sample went out.',
    breaks: ['HOOK-KEY-READ'],
    ...checkedTooLate(isTest),
  }),
  'created-without-secret': fault({
    title: 'A creation calls the secret by another name.',
    breaks: ['HOOK-CREATE'],
    ...onManaged('webhook-create', (body) => {
      const { secret_key: secret = '', ...rest } = isObject(body) ? body : {}
      return { ...rest, secret }
    }),
  }),
  'created-id-as-number': fault({
    title: 'A creation answers the id as a number.',
    breaks: ['HOOK-CREATE'],
    ...onManaged('webhook-create', (body) => (isObject(body) ? { ...body, id: 4711 } : body)),
  }),
  'created-within-data': fault({
    title: 'A creation answers the webhook within a member of its own.',
    breaks: ['HOOK-CREATE'],
    ...onManaged('webhook-create', (body) => ({ data: body })),
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
    breaks: ['HOOK-CREATE-EVENTS'],
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
  'unknown-event-taken-beside-known': fault({
    title: 'Only the first of the selected events has to exist.',
    breaks: ['HOOK-CREATE-UNKNOWN-EVENT'],
    rules: withFieldRule('events-known', ({ events }) => {
      const first = Array.isArray(events) ? String(events[0]) : retiredWebhookEvent
      return eventNames.includes(first) || first === retiredWebhookEvent ? null : 'No such event.'
    }),
  }),
  'retired-event-taken': fault({
    title: 'The older name of an event can be selected.',
    breaks: ['HOOK-CREATE-RETIRED-EVENT'],
    rules: withoutFieldRule('events-retired'),
  }),
  'retired-event-taken-beside-others': fault({
    title: 'The older name of an event is refused only where it is the first that is selected.',
    breaks: ['HOOK-CREATE-RETIRED-EVENT'],
    rules: withFieldRule('events-retired', ({ events }) =>
      Array.isArray(events) && events[0] === retiredWebhookEvent ? 'No such event.' : null,
    ),
  }),
  'description-required': fault({
    title: 'A webhook needs a description.',
    breaks: ['HOOK-CREATE-NO-DESCRIPTION'],
    rules: ({ requiredFields }) => ({ requiredFields: [...requiredFields, 'description'] }),
  }),
  'undescribed-not-listed': fault({
    title: 'A webhook without a description is created and never listed.',
    breaks: ['HOOK-CREATE-NO-DESCRIPTION'],
    ...onList((webhooks) => webhooks.filter(({ description }) => description !== undefined)),
  }),
} as const satisfies Record<string, Fault>
