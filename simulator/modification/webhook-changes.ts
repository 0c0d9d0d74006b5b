/** The small changes to the management of webhooks that modifications are made of. */
import type { Call } from '../server/call.ts'
import type { Reply } from '../server/reply.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { Rules } from '../rules.ts'
import type { LogFacts } from '../webhooks/management/logs.ts'
import type { ManagementOperation } from '../webhooks/management/management.ts'
import type { FieldRule, Managed, WebhookTenant } from '../webhooks/rules.ts'
import { sessionOfKey } from '../webhooks/management/sessions.ts'
import type { Changeable, Webhook } from '../webhooks/webhook.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { memberText } from './changes.ts'
import type { Modification, TenantHooks } from './modification.ts'

type RuleChange = NonNullable<Modification['rules']>

export const isWebhookCreation = ({ method, params }: Call): boolean =>
  method === 'POST' && params['webhookId'] === undefined
export const isRemoval = ({ method }: Call): boolean => method === 'DELETE'
export const isWebhookTest = ({ method, params }: Call): boolean =>
  method === 'POST' && params['webhookId'] !== undefined
export const isRead = ({ method }: Call): boolean => method === 'GET'
export const isLog = ({ method, params }: Call): boolean =>
  method === 'GET' && params['webhookId'] !== undefined

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
          rules.logFacts(delivery).map((facts) => ({
            ...state.rules.logEntry(facts),
            ...added(facts, delivery.webhook),
          })),
        ),
      ),
  })

/** Remembers what it was asked first of each webhook. */
export function firstOf<T>(read: (webhook: Webhook) => T): (webhook: Webhook) => T {
  const known = new Map<string, T>()
  return (webhook) => {
    const value = known.get(webhook.id) ?? read(webhook)
    known.set(webhook.id, value)
    return value
  }
}
