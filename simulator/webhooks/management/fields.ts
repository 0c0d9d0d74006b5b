/** The rules for the members of a creation and of an update, and what of a body that keeps them is taken. */
import { retiredWebhookEvent, webhookEvents } from '../../../spec/index.ts'
import { type Json, type JsonObject, isObject } from '../../json.ts'
import type { FieldRule, WebhookTenant } from '../../rules/webhooks.ts'
import type { Changeable } from '../../tenant/webhooks/webhook.ts'
import { fixedLimits } from '../../limits.ts'
import type { Identifiers } from '../../../spec/identifiers.ts'
import type { HeaderLine } from '../../edge/reply.ts'

/** RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Visible ASCII, space, tab and what Latin-1 has besides: nothing that ends a line or a header. */
const fieldValue = /^[\t\x20-\x7e\xa0-\xff]*$/

/**
 * Names that frame a message or belong to one connection; those of the service itself are reserved beside them. Every
 * other one goes out: a webhook's custom headers are sent with each of its deliveries.
 */
const reservedNames = [
  'content-type',
  'user-agent',
  'host',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'expect',
  'te',
  'trailer',
  'upgrade',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
]

/** Whether a name, in any casing, is reserved in a service with these identifiers. */
export function isReservedHeaderOf(identifiers: Identifiers): (name: string) => boolean {
  const { signatureHeader, deliveryIdHeader, eventHeader } = identifiers
  const own = [signatureHeader, deliveryIdHeader, eventHeader].map((name) => name.toLowerCase())
  const reserved = new Set([...reservedNames, ...own])
  return (name) => reserved.has(name.toLowerCase())
}

/** The headers of a value that the rules allow; nothing of any other. */
function customHeadersOf(value: Json | undefined): readonly HeaderLine[] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, text]): readonly HeaderLine[] =>
    typeof text === 'string' ? [[name, text]] : [],
  )
}

function shapeProblem(value: Json): string | null {
  if (!isObject(value)) return 'custom_headers must be an object of header names with their values.'
  const odd = Object.entries(value).find(([, text]) => typeof text !== 'string')
  return odd ? `custom_headers: the value of ${quotedName(odd[0])} must be a string.` : null
}

function nameProblem(headers: readonly HeaderLine[]): string | null {
  const odd = headers.find(([name]) => !token.test(name))
  if (odd)
    return `custom_headers: ${quotedName(odd[0])} is not the name of a header; use letters, digits and -.`
  const seen = new Set<string>()
  for (const [name] of headers) {
    if (seen.has(name.toLowerCase()))
      return `custom_headers: ${quotedName(name)} is there twice in other casings; send it once.`
    seen.add(name.toLowerCase())
  }
  return null
}

function valueProblem(headers: readonly HeaderLine[]): string | null {
  const odd = headers.find(([, value]) => !fieldValue.test(value))
  return odd
    ? `custom_headers: the value of ${quotedName(odd[0])} has a character that no header can carry; ` +
        'use Latin-1 without line breaks and control characters.'
    : null
}

function sizeProblem(headers: readonly HeaderLine[]): string | null {
  const { customHeaders: count, customHeaderBytes: valueBytes, customHeadersBytes: totalBytes } = fixedLimits
  if (headers.length > count) return `custom_headers has ${headers.length} headers; send at most ${count}.`
  const long = headers.find(([, value]) => value.length > valueBytes)
  if (long)
    return `custom_headers: the value of ${quotedName(long[0])} has ${long[1].length} bytes; send at most ${valueBytes}.`
  const total = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return total > totalBytes ? `custom_headers has ${total} bytes in all; send at most ${totalBytes}.` : null
}

function reservedProblem(value: Json, { rules }: WebhookTenant): string | null {
  const taken = customHeadersOf(value).find(([name]) => rules.isReservedHeader(name))
  return taken && rules.reservedHeader === 'refused'
    ? `custom_headers: ${quotedName(taken[0])} is set by the service itself; choose another name.`
    : null
}

/** What somebody sent, short enough to be read back. */
function quotedName(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
/** Each name once: a selection is a set. */
const namesOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? [...new Set(value.map((name: Json) => textOf(name)))] : []

const textProblem = (member: string, value: Json): string | null => {
  if (typeof value !== 'string') return `${member} must be a string.`
  return value.isWellFormed() ? null : `${member} has half a surrogate pair in it.`
}

function unknownEvent(event: string): string | null {
  return Object.hasOwn(webhookEvents, event) || event === retiredWebhookEvent
    ? null
    : `events: there is no event ${quotedName(event)}; there are: ${Object.keys(webhookEvents).join(', ')}.`
}

/** A rule for a member that is there; `objects` is not asked where it is missing. */
function about(
  member: string,
  name: string,
  objects: (value: Json, state: WebhookTenant) => string | null,
): FieldRule {
  return {
    name,
    objects: (fields, state) => {
      const value = fields[member]
      return value === undefined ? null : objects(value, state)
    },
  }
}

export const fieldRules: readonly FieldRule[] = [
  {
    name: 'required',
    objects: (fields, { rules }, is) => {
      if (is === 'update') return null
      const missing = rules.requiredFields.filter((member) => fields[member] === undefined)
      return missing.length === 0 ? null : `${missing.join(' and ')} missing; send what a webhook needs.`
    },
  },
  about('name', 'name-string', (name) => textProblem('name', name)),
  about('name', 'name-length', (name) => {
    const length = typeof name === 'string' ? name.length : 1
    return length >= 1 && length <= fixedLimits.webhookNameCharacters
      ? null
      : `name has ${length} characters; send 1 to ${fixedLimits.webhookNameCharacters}.`
  }),
  about('endpoint_url', 'endpoint-string', (url) => textProblem('endpoint_url', url)),
  about('endpoint_url', 'endpoint-length', (url) =>
    typeof url === 'string' && url.length > fixedLimits.endpointCharacters
      ? `endpoint_url has ${url.length} characters; send at most ${fixedLimits.endpointCharacters}.`
      : null,
  ),
  about('endpoint_url', 'endpoint-allowed', (url, state) =>
    typeof url === 'string' ? state.rules.endpointProblem(url, state) : null,
  ),
  about('events', 'events-some', (events) =>
    Array.isArray(events) && events.length > 0 ? null : 'events must be an array of at least one event name.',
  ),
  about('events', 'events-texts', (events) =>
    Array.isArray(events) && events.some((event) => typeof event !== 'string')
      ? 'events must be an array of event names.'
      : null,
  ),
  about('events', 'events-retired', (events) =>
    namesOf(events).includes(retiredWebhookEvent)
      ? `${retiredWebhookEvent} cannot be selected: use tool.executed instead.`
      : null,
  ),
  about(
    'events',
    'events-known',
    (events) =>
      namesOf(events)
        .map(unknownEvent)
        .find((said) => said !== null) ?? null,
  ),
  about('description', 'description-string', (text) => textProblem('description', text)),
  about('description', 'description-length', (text) =>
    typeof text === 'string' && text.length > fixedLimits.webhookDescriptionCharacters
      ? `description has ${text.length} characters; send at most ${fixedLimits.webhookDescriptionCharacters}.`
      : null,
  ),
  about('custom_headers', 'headers-object', shapeProblem),
  about('custom_headers', 'headers-names', (value) => nameProblem(customHeadersOf(value))),
  about('custom_headers', 'headers-values', (value) => valueProblem(customHeadersOf(value))),
  about('custom_headers', 'headers-size', (value) => sizeProblem(customHeadersOf(value))),
  about('custom_headers', 'headers-reserved', reservedProblem),
  {
    name: 'active-boolean',
    objects: ({ is_active: active }, { rules }, is) =>
      is === 'create' || !rules.takesIsActive || active === undefined || typeof active === 'boolean'
        ? null
        : 'is_active must be true or false.',
  },
]

/** Words of the first rule that objects; null where none does. */
export function fieldProblem(
  fields: JsonObject,
  state: WebhookTenant,
  is: 'create' | 'update',
): string | null {
  return (
    state.rules.fieldRules
      .values()
      .map((rule) => rule.objects(fields, state, is))
      .find((said) => said !== null) ?? null
  )
}

/** What a creation gives. A fault may have let anything through: what does not fit is then empty. */
export function givenAtCreation(fields: JsonObject): Omit<Changeable, 'secret'> {
  const endpointUrl = textOf(fields['endpoint_url'])
  const { name, description, events, custom_headers: headers } = fields
  return {
    name: typeof name === 'string' ? name : hostOf(endpointUrl),
    endpointUrl,
    events: namesOf(events),
    description: typeof description === 'string' ? description : null,
    customHeaders: customHeadersOf(headers),
    isActive: true,
  }
}

/** What an update changes; the rest stays. */
export function givenByUpdate(fields: JsonObject, { rules }: WebhookTenant): Partial<Changeable> {
  const { name, endpoint_url: url, events, description, custom_headers: headers, is_active: active } = fields
  return {
    ...(name !== undefined && { name: textOf(name) }),
    ...(url !== undefined && { endpointUrl: textOf(url) }),
    ...(events !== undefined && { events: namesOf(events) }),
    ...(description !== undefined && rules.takesDescription && { description: textOf(description) }),
    ...(headers !== undefined && { customHeaders: customHeadersOf(headers) }),
    ...(active !== undefined && rules.takesIsActive && { isActive: active === true }),
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
