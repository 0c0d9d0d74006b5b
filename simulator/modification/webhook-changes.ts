/** The small changes to the management of webhooks that modifications are made of. */
import type { Call, Reply, HeaderLine } from '../edge/reply.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { remembered } from '../tenant/book.ts'
import type { Rules, TenantState, DeliveryAbout } from '../rules/tenant-state.ts'
import type { ManagementOperation } from '../webhooks/management/management.ts'
import type { FieldRule, Managed, WebhookTenant, LogFacts } from '../rules/webhooks.ts'
import { sessionOfKey } from '../webhooks/management-rules.ts'
import type { Changeable, Webhook } from '../tenant/webhooks/webhook.ts'
import { memberText } from './changes.ts'
import type { RuleChange, TenantHooks } from './modification.ts'
import type { IdentifierName } from '../../spec/identifiers.ts'
import type { DeliveryRequest, Occurrence } from '../tenant/webhooks/delivery.ts'

export const isWebhookCreation = ({ method, params }: Call): boolean =>
  method === 'POST' && params['webhookId'] === undefined
export const isRemoval = ({ method }: Call): boolean => method === 'DELETE'
export const isWebhookTest = ({ method, params }: Call): boolean =>
  method === 'POST' && params['webhookId'] !== undefined

/** A project key counts as its user where `where` says so. */
export const keyAccepted =
  (where: (call: Call) => boolean): RuleChange =>
  (rules) => ({
    sessionOf: (call, state) =>
      rules.sessionOf(call, state) ?? (where(call) ? sessionOfKey(call, state) : null),
  })

export const withoutFieldRule =
  (...names: readonly string[]): RuleChange =>
  ({ fieldRules }) => ({ fieldRules: fieldRules.filter((rule) => !names.includes(rule.name)) })

export const withFieldRule =
  (name: string, objects: FieldRule['objects']): RuleChange =>
  ({ fieldRules }) => ({
    fieldRules: fieldRules.map((rule) => (rule.name === name ? { name, objects } : rule)),
  })

/** Changes the body of an answer of one management route that did what it was asked for. */
export function onManaged(
  operation: ManagementOperation,
  change: (body: Json, call: Call, state: TenantState) => Json,
): TenantHooks {
  return {
    reply: (reply: Reply, call, state) =>
      reply.kind === 'json' && reply.status < 300 && reply.about.operation === operation
        ? { ...reply, body: change(reply.body, call, state) }
        : reply,
  }
}

/** Changes the webhooks of the list, as a whole. */
export function onList(
  change: (webhooks: readonly JsonObject[], state: TenantState) => readonly Json[],
): TenantHooks {
  return onManaged('webhook-list', (body, _call, state) =>
    also(body, { webhooks: change(webhooksIn(body), state) }),
  )
}

/** Changes each webhook of the list, and of nothing else. */
export function onListed(change: (webhook: JsonObject, secret: string) => JsonObject): TenantHooks {
  return onList((webhooks, state) =>
    webhooks.map((webhook) => change(webhook, state.webhooks.get(memberText(webhook['id']))?.secret ?? '')),
  )
}

export function webhooksIn(body: Json): readonly JsonObject[] {
  const webhooks = isObject(body) ? body['webhooks'] : null
  return Array.isArray(webhooks) ? webhooks.filter((one: Json) => isObject(one)) : []
}

export const also = (body: Json, more: JsonObject): Json => (isObject(body) ? { ...body, ...more } : body)

/** What an update changes besides, or instead of, what it names. */
export const updates =
  (
    change: (given: Partial<Changeable>, rules: Rules, state: WebhookTenant) => Partial<Changeable>,
  ): RuleChange =>
  (rules) => ({ changes: (fields, state) => change(rules.changes(fields, state), rules, state) })

/** Lets `change` see a webhook once more after an update, beside what it was before. */
export const afterUpdate =
  (change: (webhook: Webhook, before: Webhook) => void): RuleChange =>
  (rules) => {
    const known = new Map<string, Webhook>()
    const keep = (webhook: Webhook): void => void known.set(webhook.id, { ...webhook })
    return {
      created: (webhook): Managed => {
        keep(webhook)
        return rules.created(webhook)
      },
      updated: (webhook, state): Managed => {
        change(webhook, known.get(webhook.id) ?? webhook)
        keep(webhook)
        return rules.updated(webhook, state)
      },
    }
  }

export const logSays =
  (change: (facts: LogFacts) => LogFacts): RuleChange =>
  (rules) => ({ logEntry: (facts) => rules.logEntry(change(facts)) })

export const logAdds =
  (added: (facts: LogFacts, webhook: Webhook) => JsonObject): RuleChange =>
  (rules) => ({
    logged: (deliveries, state) =>
      rules.logList(
        deliveries.flatMap((delivery) =>
          rules
            .logFacts(delivery)
            .map((facts) => ({ ...state.rules.logEntry(facts), ...added(facts, delivery.webhook) })),
        ),
      ),
  })

/** Remembers what it was asked first of each webhook. */
export function firstOf<T>(read: (webhook: Webhook) => T): (webhook: Webhook) => T {
  const known = new Map<string, T>()
  return (webhook) => remembered(known, webhook.id, () => read(webhook))
}

/** The small changes to deliveries that modifications are made of. */
type When = (about: DeliveryAbout) => boolean
export const isRetry: When = ({ attempt }) => attempt > 1

export function onAttempt(
  change: (message: DeliveryRequest, about: DeliveryAbout, state: TenantState) => Partial<DeliveryRequest>,
  when: When = () => true,
): TenantHooks {
  return {
    delivery: (message, about, state) =>
      when(about) ? { ...message, ...change(message, about, state) } : message,
  }
}

/** Another value of a header; null takes it out. */
type ValueOf = (value: string, about: DeliveryAbout) => string | null

/** Puts another value in the place of a header's, or takes it out where that is null. */
export function withHeader(name: string, valueOf: ValueOf, when?: When): TenantHooks {
  return onAttempt(({ headers }, about) => ({ headers: replaced(headers, name, valueOf, about) }), when)
}

/** The same for a header whose name has the vendor's word in it. */
export function withNamedHeader(name: IdentifierName, valueOf: ValueOf, when?: When): TenantHooks {
  return onAttempt(
    ({ headers }, about, { identifiers }) => ({
      headers: replaced(headers, identifiers[name], valueOf, about),
    }),
    when,
  )
}

function replaced(
  headers: readonly HeaderLine[],
  name: string,
  valueOf: ValueOf,
  about: DeliveryAbout,
): readonly HeaderLine[] {
  return headers.flatMap((header): readonly HeaderLine[] => {
    if (header[0].toLowerCase() !== name.toLowerCase()) return [header]
    const value = valueOf(header[1], about)
    return value === null ? [] : [[header[0], value]]
  })
}

/** Makes something else of the envelope before it is written and signed. */
export const withEnvelope =
  (change: (envelope: JsonObject, occurrence: Occurrence) => JsonObject) =>
  (rules: Rules): Partial<Rules> => ({
    envelope: (occurrence, at) => change(rules.envelope(occurrence, at), occurrence),
  })

/** Writes the envelope as other bytes, which are what is signed. */
export function written(bytesOf: (envelope: JsonObject, plain: Uint8Array) => Uint8Array) {
  return (rules: Rules): Partial<Rules> => ({
    encode: (envelope) => bytesOf(envelope, rules.encode(envelope)),
  })
}
