/** What the rules of the management of webhooks say: where the contract leaves nothing open, and under each interpretation of a gap. */
import type { JsonObject } from '../json.ts'
import type { Random } from '../tenant/random.ts'
import { fieldRules, givenByUpdate } from './management/fields.ts'
import { endpointProblem } from './guard/addresses.ts'
import { camelNames, factsOfAttempts, factsOfDelivery, logEntry, snakeNames } from './management/logs.ts'
import type { WebhookRules, WebhookInterpretations, WebhookTenant } from '../rules/webhooks.ts'
import type { Webhook, DashboardSession } from '../tenant/webhooks/webhook.ts'
import { fixedLimits } from '../limits.ts'
import { headerValues, type Call } from '../edge/reply.ts'
import type { ApiKey } from '../tenant/principals.ts'

const plansWithWebhooks = new Set(['business', 'enterprise', 'trial'])

/** 32 bytes as hexadecimal digits. */
function bytesInHex(random: Random): string {
  return Array.from({ length: 8 }, () => random.next().toString(16).padStart(8, '0')).join('')
}

/** What everybody may see of a webhook. */
function plainFields(webhook: Webhook): JsonObject {
  const { id, name, endpointUrl, events, description, customHeaders, isActive, createdAt } = webhook
  return {
    id,
    name,
    endpoint_url: endpointUrl,
    events,
    ...(description !== null && { description }),
    custom_headers: Object.fromEntries(customHeaders),
    is_active: isActive,
    created_at: new Date(createdAt).toISOString(),
  }
}

const nothing = () => ({ status: 204, body: null })

export const managementBase = {
  fieldRules,
  hasWebhookSettings: (plan) => plansWithWebhooks.has(plan),
  endpointProblem: (url, { rules }) => {
    const words = endpointProblem(url, rules.guard, rules.blocksAt)
    return words === null ? null : `endpoint_url: ${words}`
  },
  webhooksPerAgent: 100,
  webhookBytesPerAgent: fixedLimits.webhookBytesPerAgent,
  changes: givenByUpdate,
  removes: ({ id }, { webhooks, outbox }) => {
    webhooks.delete(id)
    outbox.forget(id)
  },
  sendsTest: (webhook, { outbox }) => outbox.test(webhook),
  newWebhookId: (random) => `wh_${random.word(16)}`,
  newSecret: (random) => `whsec_${bytesInHex(random)}`,
  listed: (webhook, { rules }) => ({
    ...plainFields(webhook),
    secret_key_preview: rules.secretPreview(webhook.secret),
  }),
  logged: (deliveries, { rules }) => {
    const facts = deliveries.flatMap((delivery) => rules.logFacts(delivery))
    return rules.logList(facts.map((each) => rules.logEntry(each)))
  },
} satisfies Partial<WebhookRules>

export const managementInterpretations = {
  'GAP-SESSION': { cookie: { sessionOf: sessionByCookie }, bearer: { sessionOf: sessionByBearer } },
  'GAP-SESSION-REFUSAL': { unauthorized: { projectKeyStatus: 401 }, forbidden: { projectKeyStatus: 403 } },
  'GAP-WEBHOOK-PLAN': { forbidden: { webhookPlanStatus: 403 }, payment: { webhookPlanStatus: 402 } },
  'GAP-WEBHOOK-REQUIRED': {
    three: { requiredFields: ['name', 'endpoint_url', 'events'] },
    two: { requiredFields: ['endpoint_url', 'events'] },
  },
  'GAP-WEBHOOK-REFUSAL': { 'bad-request': { webhookRefusal: 400 }, unprocessable: { webhookRefusal: 422 } },
  'GAP-WEBHOOK-BODIES': {
    objects: {
      updated: (webhook, state) => ({ status: 200, body: state.rules.listed(webhook, state) }),
      deleted: ({ id }) => ({ status: 200, body: { id, deleted: true } }),
      tested: ({ id }) => ({ status: 200, body: { delivery_id: id } }),
    },
    empty: { updated: nothing, deleted: nothing, tested: nothing },
  },
  'GAP-WEBHOOK-CREATED': {
    whole: {
      created: (webhook) => ({ status: 201, body: { ...plainFields(webhook), secret_key: webhook.secret } }),
    },
    two: { created: ({ id, secret }) => ({ status: 200, body: { id, secret_key: secret } }) },
  },
  // One interpretation only: the numbers stand with the rules that count.
  'GAP-WEBHOOK-LIMITS': { roomy: {} },
  'GAP-SECRET-PREVIEW': {
    'last-four': { secretPreview: (secret) => `****${secret.slice(-4)}` },
    none: { secretPreview: () => '********' },
  },
  'GAP-TURN-OFF': { ignored: { takesIsActive: false }, taken: { takesIsActive: true } },
  'GAP-UPDATE-DESCRIPTION': { ignored: { takesDescription: false }, taken: { takesDescription: true } },
  'GAP-LOG-FIELDS': { snake: { logEntry: logEntry(snakeNames) }, camel: { logEntry: logEntry(camelNames) } },
  'GAP-LOG-LIST': {
    logs: { logList: (entries) => ({ logs: entries.toReversed() }) },
    bare: { logList: (entries) => [...entries] },
  },
  'GAP-LOG-GRAIN': { delivery: { logFacts: factsOfDelivery }, attempt: { logFacts: factsOfAttempts } },
  'GAP-RESERVED-HEADER': {
    'passed-over': { reservedHeader: 'passed-over' },
    refused: { reservedHeader: 'refused' },
  },
} satisfies Partial<WebhookInterpretations>

type Carried = Pick<Call, 'headers'>

/** What the cookie `session` holds; null where there is none. */
export function cookieToken(call: Carried): string | null {
  for (const header of headerValues(call, 'cookie'))
    for (const pair of header.split(';')) {
      const [name = '', ...value] = pair.split('=')
      if (name.trim() === 'session') return value.join('=').trim()
    }
  return null
}

function bearerToken(call: Carried, { rules }: WebhookTenant): string | null {
  const [authorization, second] = headerValues(call, 'authorization')
  return authorization === undefined || second !== undefined ? null : rules.bearer(authorization)
}

function sessionByCookie(call: Carried, state: WebhookTenant): DashboardSession | null {
  return state.sessions.get(cookieToken(call) ?? '') ?? null
}

function sessionByBearer(call: Carried, state: WebhookTenant): DashboardSession | null {
  return state.sessions.get(bearerToken(call, state) ?? '') ?? null
}

/** The project key that a request carries; null where it has none that is valid. */
export function projectKeyOf(call: Carried, state: WebhookTenant): ApiKey | null {
  const apiKey = state.apiKeys.get(bearerToken(call, state) ?? '')
  return apiKey && state.rules.isValid(apiKey) ? apiKey : null
}

/** What a service that takes a project key for a user would make of it; for faults. */
export function sessionOfKey(call: Carried, state: WebhookTenant): DashboardSession | null {
  const apiKey = projectKeyOf(call, state)
  return [...state.sessions.values()].find(({ account }) => account === apiKey?.account) ?? null
}
