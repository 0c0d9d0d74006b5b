/** Judgements on a webhook in the response to its creation and in the list. */
import type { Judgement } from '../../../scenario/scenario.ts'
import { lengthOf } from '../../../../bundle/chunks.ts'
import { type Exchange, excerpt, text } from '../../../wire/exchange.ts'
import { memo } from '../../../wire/memo/memo.ts'
import { object, shown, answered, statusOf, notCreated } from '../../../assertions/answer.ts'
import { isObject } from '../../../../spec/json.ts'
import {
  citing,
  fail,
  check,
  every,
  given,
  inconclusive,
  pass,
  warn,
  inTurn,
  need,
} from '../../../scenario/expect.ts'
import { saysMore } from '../../../assertions/page.ts'
import { canonical, type Fields } from '../../../assertions/reply.ts'
import { asked } from '../../../assertions/turn.ts'
import { isUtcTime } from '../../../assertions/utc-time.ts'

/** Judgements on the response of a management route: accepted, refused, or inconclusive. */
const isTaken = (exchange: Exchange): boolean => statusOf(exchange) >= 200 && statusOf(exchange) < 300

/** Accepted with 2xx. A session without permission, by its plan or age, is no defect of the target. */
export function requestAccepted(exchange: Exchange): Judgement {
  return given(answered(exchange), () => {
    const got = statusOf(exchange)
    if (got === 401 || got === 403)
      return inconclusive(`\`${exchange.name}\` was answered ${got}: the session may not do this`)
    return check(isTaken(exchange), 'a status from 200 to 299', `status ${got}`, exchange)
  })
}

/** Whether a response is a complete 2xx, used by scenarios to continue. */
export function wasAccepted(exchange: Exchange): boolean {
  return requestAccepted(exchange).is === 'pass'
}

/** The request was refused for its content with 4xx. A server error is no refusal. */
export function refusedContent(exchange: Exchange, what: string): Judgement {
  return given(answered(exchange), () => {
    const got = statusOf(exchange)
    if (got >= 500) return inconclusive(`\`${exchange.name}\` was answered ${got}, which is no refusal`)
    if (got >= 400) return pass
    return fail(`${what} to be refused with a 4xx`, `status ${got}`, exchange)
  })
}

/** Refused for its credentials: the status is not shown, and a redirect leads to the sign-in. */
export function refusedCredentials(exchange: Exchange, what: string): Judgement {
  return given(answered(exchange, 402), () => {
    const got = statusOf(exchange)
    if (got >= 500) return inconclusive(`\`${exchange.name}\` was answered ${got}, which is no refusal`)
    return check(got >= 300, `${what} to be refused`, `status ${got}`, exchange)
  })
}

export function resultOf(exchange: Exchange): string {
  const { response, failure } = exchange
  if (failure || !response) return 'no whole answer'
  return `${isTaken(exchange) ? 'taken' : 'refused'} with ${response.status}`
}

export interface Identity {
  id: string
  secret: string
}

const filled = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** The id and the secret that only a creation returns together; null if it does not. */
export function identityOf(createdWebhook: Exchange): Identity | null {
  const { id, secret_key: secret } = object(createdWebhook) ?? {}
  return filled(id) && filled(secret) ? { id, secret } : null
}

/** A webhook was created: 2xx, with its id and its secret. */
export function createdWebhook(exchange: Exchange): Judgement {
  // The members that a creation requires are not shown: a refusal that names none of ours may miss another.
  const isInvalid = [400, 422].includes(exchange.response?.status ?? 0)
  if (isInvalid && !/\b(?:endpoint|endpoint_url|custom_headers|events?)\b/i.test(text(exchange).text))
    return inconclusive(notCreated(exchange))
  const answer = requestAccepted(exchange)
  if (answer.is !== 'pass') return answer
  const { id, secret_key: secret } = object(exchange) ?? {}
  const got = `\`id\`: ${typeof id}, \`secret_key\`: ${typeof secret}`
  return check(identityOf(exchange) !== null, 'the strings `id` and `secret_key`', got, exchange)
}

export function listedWebhooks(list: Exchange): readonly Fields[] | null {
  const webhooks = object(list)?.['webhooks']
  return Array.isArray(webhooks) && webhooks.every(isObject) ? webhooks : null
}

/** The response is an object with an array `webhooks` of objects. */
export function hasWebhookList(list: Exchange): Judgement {
  const answer = requestAccepted(list)
  if (answer.is !== 'pass' || listedWebhooks(list)) return answer
  return fail('an object with an array `webhooks`', shown(list, 120), list)
}

/** The first entry of each id and of each name. */
const entriesIn = memo(
  (list: Exchange) => {
    const backwards = listedWebhooks(list)?.toReversed() ?? []
    const by = (member: 'id' | 'name') => new Map(backwards.map((one) => [one[member], one]))
    return { id: by('id'), name: by('name') }
  },
  (_, { response }) => 8 * lengthOf(response?.chunks),
)

/** The list entry of a created webhook: by its id or, if unknown, by its name. */
export function entryOf(list: Exchange, creation: Exchange): Fields | undefined {
  const id = object(creation)?.['id']
  return filled(id) ? entriesIn(list).id.get(id) : entryNamed(list, creation)
}

export function entryNamed(list: Exchange, creation: Exchange): Fields | undefined {
  const { name } = asked(creation) ?? {}
  return filled(name) ? entriesIn(list).name.get(name) : undefined
}

export function shows(list: Exchange, creations: readonly Exchange[]): boolean {
  return creations.filter(wasAccepted).every((creation) => entryOf(list, creation) !== undefined)
}

/** Whether a list has the webhook of this id with these members as an update may leave them, used for polling. */
export function showsWith(list: Exchange, id: string, members: Fields): boolean {
  const found = listedWebhooks(list)?.find((one) => one['id'] === id)
  return (
    found !== undefined && Object.entries(members).every(([name, sent]) => showsAtLeast(found, name, sent))
  )
}

export function isListed(list: Exchange, creation: Exchange): Judgement {
  return inTurn(need(createdWebhook(creation)), need(hasWebhookList(list)), () => {
    if (entryOf(list, creation)) return pass
    return isPart(list)
      ? inconclusive(`\`${list.name}\` is one page of several, and the webhook is not on it`)
      : fail('the webhook in the list', `a list of ${listedWebhooks(list)?.length ?? 0} without it`, list)
  })
}

/** The list states that it is not complete. */
function isPart(list: Exchange): boolean {
  return saysMore(list, listedWebhooks(list)?.length ?? 0)
}

export function judgeEntry(
  list: Exchange,
  creation: Exchange,
  judge: (judgeEntry: Fields) => Judgement,
): Judgement {
  return given(isListed(list, creation), () => judge(entryOf(list, creation) ?? {}))
}

/** The webhook is not in the list, which shows another one. */
export function isUnlisted(list: Exchange, gone: Exchange, control: Exchange): Judgement {
  return given(isListed(list, control), () => isAbsent(list, gone))
}

/** A webhook missing on one page of several may be on another. */
export function absent(list: Exchange): Judgement {
  return isPart(list)
    ? inconclusive(`\`${list.name}\` is one page of several: what it does not show may be on another`)
    : pass
}

/** The list no longer shows the webhook; an earlier list has to have shown it. */
export function isAbsent(list: Exchange, gone: Exchange): Judgement {
  return given(hasWebhookList(list), () =>
    entryOf(list, gone) ? fail('a list without the webhook', 'a list that shows it', list) : absent(list),
  )
}

/** A refused creation left no webhook with its name; an accepted one is listed. */
export function leftNothing(list: Exchange, refused: Exchange, control: Exchange): Judgement {
  return given(isListed(list, control), () => {
    return entryNamed(list, refused)
      ? fail('no webhook of what was refused', 'a webhook with its name in the list', list)
      : absent(list)
  })
}

/** Two addresses are equal after URL normalization. */
export function sameUrl(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false
  const [first, second] = [URL.parse(one), URL.parse(other)]
  return first === null || second === null ? one === other : first.href === second.href
}

export function sameEvents(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return false
  const key = (names: readonly unknown[]): string => JSON.stringify([...new Set(names.map(String))].sort())
  return key(one) === key(other)
}

/** The webhook is listed with these members as given; default: with every member. */
export function listedAs(
  list: Exchange,
  creation: Exchange,
  names: readonly string[] = Object.keys(alike),
): Judgement {
  const listed = isListed(list, creation)
  if (listed.is !== 'pass') return listed
  const [sent, found] = [asked(creation) ?? {}, entryOf(list, creation) ?? {}]
  const judged = names.filter((name) => sent[name] !== undefined)
  return every(judged, (name) => shownAs(name, sent[name], found, list))
}

/** The members of a webhook in the contract, which only an update changes. */
const lasting = [
  'name',
  'endpoint_url',
  'events',
  'description',
  'custom_headers',
  'is_active',
  'created_at',
] as const
export type Lasting = (typeof lasting)[number]

export interface Lists {
  before: Exchange
  after: Exchange
  updates: readonly Exchange[]
}

export function sameBut(changed: Lasting, creation: Exchange, lists: Lists): Judgement {
  return sameLasting(creation, lists, [changed])
}

export function sameLasting(
  creation: Exchange,
  { before, after, updates }: Lists,
  named: readonly string[],
): Judgement {
  return judgeEntry(before, creation, (was) =>
    judgeEntry(after, creation, (now) => {
      const kept = lasting.filter((name) => !named.includes(name))
      const unchanged = every(kept, (name) =>
        check(same(name, was, now), said(name, was), said(name, now), after),
      )
      const as = updates.length === 1 ? 'update that lost it' : 'update'
      return citing(
        unchanged,
        [creation, 'created'],
        [before, 'listed before'],
        ...updates.map((update) => [update, as] as const),
        [after, 'listed after'],
      )
    }),
  )
}

function same(name: string, was: Fields, now: Fields): boolean {
  const [one, other] = [was[name], now[name]]
  return name === 'events' ? sameEvents(one, other) : canonical(one ?? null) === canonical(other ?? null)
}

function said(name: string, found: Fields): string {
  return `\`${name}\`: ${excerpt(JSON.stringify(found[name]) ?? 'none')}`
}

const alike: Readonly<Record<string, (sent: unknown, shown: unknown) => boolean>> = {
  name: (sent, listed) => sent === listed,
  endpoint_url: sameUrl,
  events: sameEvents,
  description: (sent, listed) => sent === listed,
  custom_headers: sameNames,
}

/** Header names in any case. A value may be a credential that a service masks, so values are not compared. */
function sameNames(sent: unknown, listed: unknown): boolean {
  if (!isObject(sent) || !isObject(listed)) return false
  const key = (headers: Fields): string =>
    JSON.stringify(
      Object.keys(headers)
        .map((name) => name.toLowerCase())
        .sort(),
    )
  return key(sent) === key(listed)
}

/**
 * The list shows this member of the webhook as an update gave it. Whether earlier headers and events remain is not
 * stated: headers may, and events that do warn.
 */
export function showsUpdated(list: Exchange, creation: Exchange, name: Lasting, sent: unknown): Judgement {
  return judgeEntry(list, creation, (found) => {
    const shows = shownAs(name, sent, found, list)
    if (shows.is === 'pass' || !(includes[name]?.(sent, found[name]) ?? false)) return shows
    return name === 'events' ? warn(said(name, { [name]: sent }), said(name, found), list) : pass
  })
}

/** Maps and lists that an update may extend. */
const includes: Readonly<Partial<Record<Lasting, (sent: unknown, listed: unknown) => boolean>>> = {
  custom_headers: hasNames,
  events: hasEvents,
}

/** Whether a list shows a member as an update gave it, or with more. */
function showsAtLeast(found: Fields | undefined, name: string, sent: unknown): boolean {
  const listed = found?.[name]
  return (
    (alike[name]?.(sent, listed) ?? sent === listed) || (includes[name as Lasting]?.(sent, listed) ?? false)
  )
}

function hasEvents(sent: unknown, listed: unknown): boolean {
  if (!Array.isArray(sent) || !Array.isArray(listed)) return false
  return sent.every((event: unknown) => listed.includes(event))
}

function hasNames(sent: unknown, listed: unknown): boolean {
  if (!isObject(sent) || !isObject(listed)) return false
  const known = new Set(Object.keys(listed).map((name) => name.toLowerCase()))
  return Object.keys(sent).every((name) => known.has(name.toLowerCase()))
}

function shownAs(name: string, sent: unknown, found: Fields, list: Exchange): Judgement {
  const holds = alike[name]?.(sent, found[name]) ?? false
  return check(holds, said(name, { [name]: sent }), said(name, found), list)
}

export function createdInUtc(list: Exchange, creation: Exchange): Judgement {
  return judgeEntry(list, creation, ({ created_at: at }) =>
    check(isUtcTime(at), 'an ISO 8601 time in UTC', `\`created_at\`: ${JSON.stringify(at) ?? 'none'}`, list),
  )
}

/** An event that cannot be selected: the webhook is refused and not listed, or it is listed without the event. */
export function notSelected(bad: Exchange, event: string, list: Exchange, control: Exchange): Judgement {
  return given(isListed(list, control), () => {
    const events = entryOf(list, bad)?.['events']
    const listed = Array.isArray(events) ? events : null
    if (listed?.includes(event))
      return fail(`${event} not to be selected`, `${JSON.stringify(listed)} in the list`, list)
    if (requestAccepted(bad).is !== 'pass') return pass
    if (listed === null) return inconclusive('the list does not show which events the webhook has selected')
    return { is: 'pass', note: `the webhook was taken without ${event}` }
  })
}
