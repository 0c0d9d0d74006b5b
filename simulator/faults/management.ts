/** How webhooks are created, listed, updated and removed. */
import type { Call } from '../edge/reply.ts'
import { type JsonObject, isObject } from '../json.ts'
import { memberText, sentBody, withoutMembers } from '../modification/changes.ts'
import { type Fault, fault } from '../modification/modification.ts'
import {
  also,
  firstOf,
  isRemoval,
  isWebhookCreation,
  isWebhookTest,
  keyAccepted,
  onList,
  onListed,
  onManaged,
  updates,
  webhooksIn,
  withoutFieldRule,
} from '../modification/webhook-changes.ts'
import type { WebhookTenant } from '../rules/webhooks.ts'
import type { WebhookDelivery } from '../tenant/webhooks/delivery.ts'
import type { Webhook } from '../tenant/webhooks/webhook.ts'
import { projectKeyOf } from '../webhooks/management-rules.ts'
import { managementRefusalReply, withoutSession } from '../webhooks/management/management.ts'

/** Looks who calls only when the work is done: the answer is a refusal. */
const checkedTooLate = (where: (call: Call) => boolean): Pick<Fault, 'rules' | 'reply'> => ({
  rules: keyAccepted(where),
  reply: (reply, call, state) =>
    reply.about.operation.startsWith('webhook-') && where(call) && projectKeyOf(call, state)
      ? managementRefusalReply(state, withoutSession(state, call), reply.about)
      : reply,
})

const createdAt = (webhook: { readonly [name: string]: unknown }): Date =>
  new Date(String(webhook['created_at']))

const hourMs = 3_600_000

/** What an update names is in its answer and nowhere else. */
const answeredOnly = (field: string): Pick<Fault, 'rules' | 'reply'> => ({
  rules: (rules) => ({ changes: (fields, state) => rules.changes(withoutMembers(fields, field), state) }),
  ...onManaged('webhook-update', (body, call) => {
    const named: JsonObject = sentBody(call)
    return also(body, field in named ? { [field]: named[field] ?? null } : {})
  }),
})

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

export const managementFaults = {
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
  'project-key-tests-webhooks': fault({
    title: 'A project key may send samples.',
    breaks: ['HOOK-KEY-READ'],
    rules: keyAccepted(isWebhookTest),
  }),
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
  'webhooks-as-bare-list': fault({
    title: 'The list of webhooks is no object.',
    breaks: ['HOOK-LIST'],
    ...onManaged('webhook-list', webhooksIn),
  }),
  'webhooks-of-all-agents': fault({
    title: 'The list has the webhooks of every agent.',
    breaks: ['HOOK-LIST-OWN'],
    ...onList((_webhooks, state) =>
      [...state.webhooks.values()].map((one) => state.rules.listed(one, state)),
    ),
  }),
  'listed-description-cut': fault({
    title: 'The list cuts descriptions at ten characters.',
    breaks: ['HOOK-LIST-AS-SENT'],
    ...onListed((webhook) => ({ ...webhook, description: memberText(webhook['description']).slice(0, 10) })),
  }),
  'created-in-local-time': fault({
    title: '`created_at` is the time of a place hours ahead, said to be UTC.',
    breaks: ['HOOK-LIST-CREATED-AT'],
    ...onListed((webhook) => ({
      ...webhook,
      created_at: new Date(createdAt(webhook).getTime() + 5.5 * hourMs).toISOString(),
    })),
  }),
  'active-as-text': fault({
    title: '`is_active` is listed as a text.',
    breaks: ['HOOK-LIST-ACTIVE'],
    ...onListed((webhook) => ({ ...webhook, is_active: String(webhook['is_active'] === true) })),
  }),
  'created-at-as-number': fault({
    title: '`created_at` is listed in seconds since 1970.',
    breaks: ['HOOK-LIST-CREATED-AT'],
    ...onListed((webhook) => ({ ...webhook, created_at: Math.trunc(createdAt(webhook).getTime() / 1000) })),
  }),
  'secret-in-list': fault({
    title: 'The list shows the secrets.',
    breaks: ['HOOK-LIST-NO-SECRET'],
    ...onListed((webhook, secret) => ({ ...webhook, secret_key: secret })),
  }),
  'secret-in-list-elsewhere': fault({
    title: 'The list shows the secrets within a member for settings.',
    breaks: ['HOOK-LIST-NO-SECRET'],
    ...onListed((webhook, secret) => ({ ...webhook, signing: { algorithm: 'sha256', key: secret } })),
  }),
  'masked-secret-key': fault({
    title: 'The list has a `secret_key` of stars beside the preview.',
    breaks: ['HOOK-LIST-NO-SECRET'],
    ...onListed((webhook) => ({ ...webhook, secret_key: '********' })),
  }),
  'preview-whole': fault({
    title: 'The preview of a secret is the secret.',
    breaks: ['HOOK-LIST-NO-SECRET', 'HOOK-LIST-PREVIEW', 'HOOK-UPDATE-NO-SECRET'],
    rules: () => ({ secretPreview: (secret) => secret }),
  }),
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
