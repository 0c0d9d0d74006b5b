/** Webhooks that are listed and answered in an unusual way. */
import { limits, webhookEvents } from '../../spec/index.ts'
import { type Call, jsonReply, type Reply } from '../edge/reply.ts'
import { isObject, type Json } from '../json.ts'
import type { Webhook } from '../tenant/webhooks/webhook.ts'
import type { TenantState } from '../rules/tenant-state.ts'
import { memberText } from '../modification/changes.ts'
import { variant, type Variant } from '../modification/modification.ts'
import {
  afterUpdate,
  onList,
  onListed,
  onManaged,
  webhooksIn,
  withoutFieldRule,
} from '../modification/webhook-changes.ts'

const listedWith = (member: string, change: (value: Json) => Json) =>
  onListed((webhook) => ({ ...webhook, [member]: change(webhook[member] ?? null) }))

const headersListed = (change: (name: string, value: Json) => readonly [string, Json]) =>
  listedWith('custom_headers', (headers) =>
    isObject(headers)
      ? Object.fromEntries(Object.entries(headers).map(([name, value]) => change(name, value)))
      : headers,
  )

const isEvent = (name: string): boolean => Object.hasOwn(webhookEvents, name)

/** Changes the answer to who has no session. */
const onRefusal = (change: (reply: Extract<Reply, { kind: 'json' }>) => Reply): Pick<Variant, 'reply'> => ({
  reply: (reply) =>
    reply.kind === 'json' &&
    reply.about.operation.startsWith('webhook-') &&
    (reply.status === 401 || reply.status === 403)
      ? change(reply)
      : reply,
})

const page = 10
const digits = '0123456789'
const minuteMs = 60_000
const changeable = ['name', 'endpointUrl', 'events', 'customHeaders'] as const
/** Ids of webhooks that a list has shown, of each tenant. */
const listedOf = new WeakMap<TenantState, Set<string>>()
/** Seconds after which a call may come again that came too soon. */
const retryAfter = new WeakMap<Call, number>()

export const webhookManagementVariants = {
  'webhooks-newest-first': variant({
    title: 'The webhooks that were created last are listed first.',
    allowed: 'The order of the list is not stated.',
    ...onList((webhooks) => webhooks.toReversed()),
  }),
  'webhooks-in-pages-of-ten': variant({
    title: 'The list comes in pages of ten, and says how many pages there are.',
    allowed: 'That one answer has the whole list is not stated.',
    ...onManaged('webhook-list', (body) => {
      const all = webhooksIn(body)
      return { webhooks: all.slice(0, page), page: 1, total_pages: Math.ceil(all.length / page) }
    }),
  }),
  'webhooks-with-more-members': variant({
    title: 'The list and its webhooks have members that nobody asked for.',
    allowed: 'Members beside those that are shown are not ruled out.',
    ...onManaged('webhook-list', (body) => ({
      object: 'list',
      webhooks: webhooksIn(body).map((webhook) => ({
        object: 'webhook',
        ...webhook,
        updated_at: webhook['created_at'] ?? null,
        last_delivery: null,
        stats: { delivered: 0, failed: 0 },
      })),
      has_more: false,
      next_cursor: null,
    })),
  }),
  'webhooks-listed-late': variant({
    title: 'A webhook is on the list two seconds after it was created.',
    allowed: 'That what was done shows at once is not stated.',
    ...onList((webhooks, state) =>
      webhooks.filter(({ created_at: at }) => state.clock.date() - Date.parse(memberText(at)) >= 2_000),
    ),
  }),
  'webhook-names-unique': variant({
    title: 'No two webhooks have the same name.',
    allowed: 'Whether names repeat is not stated.',
    rules: (rules, state) => ({
      fieldRules: [
        ...rules.fieldRules,
        {
          name: 'name-unique',
          objects: ({ name = null }) =>
            [...state.webhooks.values()].some((webhook) => webhook.name === name)
              ? 'There is a webhook of this name; choose another one.'
              : null,
        },
      ],
    }),
  }),
  'few-webhooks-per-agent': variant({
    title: 'An agent has eight webhooks at most.',
    allowed: 'How many webhooks there may be is not shown.',
    rules: () => ({ webhooksPerAgent: 8 }),
  }),
  'management-rate-limited': variant({
    title: 'The management routes are limited to sixty requests per minute.',
    allowed: 'Their rate limits are not shown.',
    rules: (rules) => {
      const taken: number[] = []
      return {
        sessionOf(call, state) {
          const now = state.clock.now()
          while (taken[0] !== undefined && taken[0] <= now - minuteMs) taken.shift()
          if (taken.length < limits.chatRequestsPerMinute) {
            taken.push(now)
            return rules.sessionOf(call, state)
          }
          retryAfter.set(call, Math.ceil(((taken[0] ?? now) + minuteMs - now) / 1000))
          return null
        },
      }
    },
    reply(reply, call) {
      const seconds = retryAfter.get(call)
      return seconds === undefined || reply.kind !== 'json'
        ? reply
        : jsonReply(429, { error: 'Slow down.', retry_after_seconds: seconds }, reply.about)
    },
  }),
  'webhook-ids-as-uuids': variant({
    title: 'Ids of webhooks are UUIDs.',
    allowed: 'An id is a string.',
    rules: () => ({ newWebhookId: (random) => random.uuid() }),
  }),
  'webhook-ids-as-digits': variant({
    title: 'Ids of webhooks are numbers, as text.',
    allowed: 'An id is a string.',
    rules: () => ({
      newWebhookId: (random) =>
        `1${Array.from({ length: 14 }, () => digits[random.next() % digits.length] ?? '0').join('')}`,
    }),
  }),
  'webhook-ids-to-be-escaped': variant({
    title: 'Ids of webhooks have letters in them that a path has to escape.',
    allowed: 'An id is a string.',
    rules: () => ({ newWebhookId: (random) => `wh/${random.word(8)}+${random.word(4)}==` }),
  }),
  'preview-with-dots': variant({
    title: 'The preview of a secret is its label, dots beyond ASCII and its last two characters.',
    allowed: 'How a secret is masked is not shown.',
    rules: () => ({ secretPreview: (secret) => `whsec_••••••••${secret.slice(-2)}` }),
  }),
  'secret-key-null': variant({
    title: 'The list has a `secret_key` of null.',
    allowed: 'The secret is not returned; a member that says nothing does not return it.',
    ...onListed((webhook) => ({ ...webhook, secret_key: null })),
  }),
  'header-values-masked': variant({
    title: 'The list masks the values of custom headers.',
    allowed: 'A value may be a credential; that the list shows it is not stated.',
    ...headersListed((name) => [name, '***']),
  }),
  'header-names-lowered': variant({
    title: 'The list has the names of custom headers in small letters.',
    allowed: 'HTTP compares header names without case.',
    ...headersListed((name, value) => [name.toLowerCase(), value]),
  }),
  'headers-merged': variant({
    title: 'The custom headers of an update come on top of those that are there.',
    allowed: 'Whether an update of a map replaces it is not stated.',
    rules: afterUpdate((webhook, before) => {
      const all = [...before.customHeaders, ...webhook.customHeaders]
      webhook.customHeaders = [...new Map(all.map((header) => [header[0], header])).values()]
    }),
  }),
  'endpoint-normalised': variant({
    title: 'An endpoint is listed as a URL parser writes it.',
    allowed: 'The address is the same.',
    ...listedWith('endpoint_url', (url) => URL.parse(memberText(url))?.href ?? url),
  }),
  'events-sorted': variant({
    title: 'The events of a webhook are listed in the order of the alphabet.',
    allowed: 'A selection has no order.',
    ...listedWith('events', (events) =>
      Array.isArray(events) ? events.map((event: Json) => memberText(event)).sort() : events,
    ),
  }),
  'created-at-with-offset': variant({
    title: '`created_at` has microseconds and the offset +00:00.',
    allowed: 'That is ISO 8601 and UTC.',
    ...listedWith('created_at', (at) => memberText(at).replace(/Z$/, '000+00:00')),
  }),
  'undescribed-as-null': variant({
    title: 'A webhook without a description is listed with null.',
    allowed: 'The description is optional; null says that there is none.',
    ...listedWith('description', (description) => description),
  }),
  'unknown-events-left-out': variant({
    title: 'What is no event is left out of a selection, and the rest is taken.',
    allowed: 'It cannot be selected; that it is refused is not stated.',
    rules: (rules) => ({
      fieldRules: rules.fieldRules.filter(({ name }) => name !== 'events-known' && name !== 'events-retired'),
      created: (webhook) => {
        webhook.events = webhook.events.filter(isEvent)
        return rules.created(webhook)
      },
      changes: (fields, state) => {
        const { events, ...rest } = rules.changes(fields, state)
        return events === undefined ? rest : { ...rest, events: events.filter(isEvent) }
      },
    }),
  }),
  'management-hidden': variant({
    title: 'Who has no session meets 404 on the management routes.',
    allowed: 'They refuse; with which status is not stated, and 404 says the least.',
    ...onRefusal(({ body, about }) => jsonReply(404, body, about)),
  }),
  'management-refused-with-400': variant({
    title: 'Who has no session meets 400 on the management routes.',
    allowed: 'They refuse; with which status is not stated.',
    ...onRefusal(({ body, about }) => jsonReply(400, body, about)),
  }),
  'management-leads-to-sign-in': variant({
    title: 'Who has no session is redirected to where users sign in.',
    allowed: 'They refuse; with which status is not stated, and a session is that of a browser.',
    ...onRefusal(({ about }) => ({ ...jsonReply(302, {}, about), headers: [['Location', '/sign-in']] })),
  }),
  'updates-at-once-last-wins': variant({
    title: 'An update writes the whole webhook back, as it was read before another one that came with it.',
    allowed: 'What comes of updates at once is not stated.',
    rules: (was, state) => {
      const earlier = new Map<string, Webhook>()
      const listed = new Set<string>()
      listedOf.set(state, listed)
      return afterUpdate((webhook, before) => {
        const read = listed.has(webhook.id) ? undefined : earlier.get(webhook.id)
        earlier.set(webhook.id, before)
        for (const name of changeable)
          if (read && webhook[name] === before[name]) Object.assign(webhook, { [name]: read[name] })
      })(was, state)
    },
    // Whoever looked at the list before two updates does not send them at once here.
    ...onList((webhooks, state) => {
      for (const { id } of webhooks) listedOf.get(state)?.add(memberText(id))
      return webhooks
    }),
  }),
  'events-merged': variant({
    title: 'The events of an update come on top of those that were selected.',
    allowed: 'Whether an update of a list replaces it is not stated.',
    warns: ['HOOK-UPDATE-EVENTS'],
    rules: afterUpdate((webhook, before) => {
      webhook.events = [...new Set([...before.events, ...webhook.events])]
    }),
  }),
  'unknown-events-kept': variant({
    title: 'A name that is no event can be selected, and nothing is ever sent for it.',
    allowed: 'Only the older name of an event is said not to be selectable.',
    warns: ['HOOK-CREATE-UNKNOWN-EVENT'],
    rules: withoutFieldRule('events-known'),
  }),
  'preview-of-a-third': variant({
    title: 'The preview of a secret is its label, its first twelve characters and its last eight.',
    allowed: 'How a secret is masked is not shown.',
    rules: () => ({ secretPreview: (secret) => `${secret.slice(0, 18)}********${secret.slice(-8)}` }),
  }),
  'removed-twice-is-conflict': variant({
    title: 'Who removes a webhook that is gone meets 409.',
    allowed: 'What a second removal is answered is not shown.',
    reply: (reply) =>
      reply.kind === 'json' && reply.about.operation === 'webhook-delete' && reply.status === 404
        ? jsonReply(409, reply.body, reply.about)
        : reply,
  }),
  'management-accepted': variant({
    title: 'Updates, removals and tests are answered 202 with words.',
    allowed: 'What they answer is not shown.',
    rules: () => {
      const accepted = () => ({ status: 202, body: { message: 'Accepted.' } })
      return { updated: accepted, deleted: accepted, tested: accepted }
    },
  }),
} as const satisfies Record<string, Variant>

const isLocal = (url: string): boolean => /^(?:localhost|127\.|\[::1\])/.test(URL.parse(url)?.hostname ?? '')

const secured = (url: string): string =>
  /^http:/i.test(url) && !isLocal(url) ? url.replace(/^http/i, 'https') : url

export const endpointVariants = {
  'endpoint-made-secure': variant({
    title: 'An endpoint of plain HTTP is taken, and changed to HTTPS.',
    allowed: 'An endpoint must be HTTPS, and it is.',
    rules: (rules) => ({
      endpointProblem: (url, state) => rules.endpointProblem(secured(url), state),
      created: (webhook) => {
        webhook.endpointUrl = secured(webhook.endpointUrl)
        return rules.created(webhook)
      },
      changes: (fields, state) => {
        const { endpointUrl, ...rest } = rules.changes(fields, state)
        return endpointUrl === undefined ? rest : { ...rest, endpointUrl: secured(endpointUrl) }
      },
    }),
  }),
  'endpoint-unparsed': variant({
    title: 'An endpoint that begins with https: is taken, also where it is no URL.',
    allowed: 'An endpoint must be HTTPS; that it can be reached is not stated.',
    warns: ['TGT-NOT-URL'],
    rules: (rules) => ({
      endpointProblem: (url, state) =>
        url.startsWith('https:') && !URL.canParse(url) ? null : rules.endpointProblem(url, state),
    }),
  }),
} as const satisfies Record<string, Variant>
