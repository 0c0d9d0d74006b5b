/** The rules for the members of a creation and of an update, and what of a body that keeps them is taken. */
import { retiredWebhookEvent, webhookEvents } from '../../../spec/index.ts'
import type { Json } from '../../json.ts'
import {
  customHeadersOf,
  nameProblem,
  quotedName,
  reservedProblem,
  shapeProblem,
  sizeProblem,
  valueProblem,
} from './custom-headers.ts'
import type { FieldRule, ManagementFields, WebhookTenant } from '../rules.ts'
import type { Changeable } from '../webhook.ts'
import { fixedLimits } from '../../limits.ts'

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

const required: FieldRule = {
  name: 'required',
  objects: (fields, { rules }, is) => {
    if (is === 'update') return null
    const missing = rules.requiredFields.filter((member) => fields[member] === undefined)
    return missing.length === 0 ? null : `${missing.join(' and ')} missing; send what a webhook needs.`
  },
}

export const fieldRules: readonly FieldRule[] = [
  required,
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
  about('events', 'events-known', (events) => {
    const problems = namesOf(events).map(unknownEvent)
    return problems.find((problem) => problem !== null) ?? null
  }),
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
  about('custom_headers', 'headers-reserved', (value, { rules }) =>
    rules.reservedHeader === 'refused'
      ? reservedProblem(customHeadersOf(value), (name) => rules.isReservedHeader(name))
      : null,
  ),
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
  fields: ManagementFields,
  state: WebhookTenant,
  is: 'create' | 'update',
): string | null {
  for (const rule of state.rules.fieldRules) {
    const words = rule.objects(fields, state, is)
    if (words !== null) return words
  }
  return null
}

/** What a creation gives. A fault may have let anything through: what does not fit is then empty. */
export function givenAtCreation(fields: ManagementFields): Omit<Changeable, 'secret'> {
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
export function givenByUpdate(fields: ManagementFields, { rules }: WebhookTenant): Partial<Changeable> {
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
