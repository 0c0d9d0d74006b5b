/** Judgements on billing reads. */
import type { Judgement } from '../../scenario/scenario.ts'
import type { Dialect } from '../../config/dialect.ts'
import { type Exchange, type Json, at, json } from '../../wire/exchange.ts'
import { answered, shown, status } from '../../assertions/answer.ts'
import { all, fail, check, given, inconclusive, pass, warn } from '../../scenario/expect.ts'
import { inside, isArray } from '../../assertions/pointer.ts'
import { isObject } from '../../../spec/json.ts'
import { shownIn } from './task.ts'
import { failureCode, receiptStatus, describeReceipt } from './receipt.ts'

/** The read succeeded: 200 at a route, a completed receipt of an operation. */
export function showsSomething(exchange: Exchange): Judgement {
  return given(answered(exchange), () => {
    const isExecution = exchange.request.path.includes('/operation-executions/')
    if (isExecution)
      return check(
        receiptStatus(exchange) === 'completed',
        'a completed receipt',
        describeReceipt(exchange),
        exchange,
      )
    const judged = status(exchange, 200)
    if (judged.is !== 'pass') return judged
    const body = json(exchange)
    const isEmpty = !body.ok || (typeof body.value === 'object' && Object.keys(body.value ?? {}).length === 0)
    const has = !isEmpty && failureCode(exchange) === null
    return check(has, 'JSON with something in it', shown(exchange, 80), exchange)
  })
}

/** Inconclusive if the key may not use the read. */
export function readableWithKey(exchange: Exchange, judge: (body: Json) => Judgement): Judgement {
  const judged = showsSomething(exchange)
  if (judged.is !== 'pass') return judged
  const body = shownIn(exchange)
  return body === undefined ? fail('something to read', shown(exchange, 80), exchange) : judge(body)
}

/** Where a subscription has its status and the name of its plan: as declared, or under a name of the contract. */
const places = {
  status: ['/status'],
  planName: ['/plan/displayName', '/plan/display_name'],
} as const

type Shown = keyof typeof places

/** The string at that place; null without one. */
export function subscriptionText(body: Json, name: Shown, { subscription }: Dialect): string | null {
  const declared = subscription?.[name]
  const found = (declared === undefined ? places[name] : [declared])
    .map((pointer) => at(body, pointer))
    .find((value) => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? found : null
}

/**
 * Fails if the subscription has no status or no plan name. camelCase is the library's view, so snake_case is
 * accepted; inconclusive if such a member is nested deeper than declared.
 */
export function hasSubscription(exchange: Exchange, dialect: Dialect): Judgement {
  return readableWithKey(exchange, (body) =>
    all(
      ...(Object.keys(places) as Shown[]).map((name) => {
        if (subscriptionText(body, name, dialect) !== null) return pass
        if (dialect.subscription?.[name] === undefined && isDeeper(body, name))
          return inconclusive(`it is elsewhere in the subscription; declare \`dialect.subscription.${name}\``)
        const place = dialect.subscription?.[name] ?? places[name][0]
        return fail(`a text at ${place}`, shown(exchange, 120), exchange)
      }),
    ),
  )
}

/** An account without a subscription shows no plan, or null. */
export function ifSubscribed(exchange: Exchange, dialect: Dialect): Judgement {
  return readableWithKey(exchange, (body) => {
    const parent = (dialect.subscription?.planName ?? places.planName[0]).replace(/\/[^/]*$/, '')
    const hasPlan = parent === '' || (at(body, parent) ?? null) !== null
    return hasPlan || isDeeper(body, 'planName')
      ? hasSubscription(exchange, dialect)
      : inconclusive('the account shows no plan: it may have no subscription')
  })
}

function isDeeper(body: Json, name: Shown): boolean {
  const names = places[name].map((pointer) => pointer.split('/').at(-1))
  return [...inside(body)].some((one) => names.includes(one.name) && typeof one.value === 'string')
}

/** The plan name: other members of a subscription, such as a renewal or a counter, change by themselves. */
export function planUnchanged(before: Exchange, after: Exchange, dialect: Dialect): Judgement {
  return given(all(showsSomething(before), showsSomething(after)), () => {
    const [was, is] = [before, after].map((one) =>
      subscriptionText(shownIn(one) ?? null, 'planName', dialect),
    )
    if (!was || !is) return inconclusive('the subscription shows no name of its plan')
    return check(was === is, `the plan ${was}`, `the plan ${is}`, after)
  })
}

type Listed = keyof NonNullable<Dialect['lists']>
type Place = readonly [pointer: string, list: readonly Json[]]

function listsIn(body: Json, pointer = ''): readonly Place[] {
  if (isArray(body)) return [[pointer, body]]
  if (!isObject(body)) return []
  return Object.entries(body).flatMap(([name, value]) =>
    listsIn(value, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}

/** The declared list; else lists of objects, else any. */
function candidates(body: Json, listing: Listed, { lists: declared }: Dialect): readonly Place[] {
  const pointer = declared?.[listing]
  if (pointer !== undefined) {
    const found = at(body, pointer)
    return isArray(found) ? [[pointer, found]] : []
  }
  const found = listsIn(body)
  const filled = found.filter(([, list]) => list.length > 0 && list.every(isObject))
  return filled.length > 0 ? filled : found
}

export function lists(exchange: Exchange, listing: Listed, dialect: Dialect): Judgement {
  return readableWithKey(exchange, (body) => {
    const found = candidates(body, listing, dialect)
    if (found.some(([, list]) => list.length > 0)) return pass
    if (found.length > 0) return warn('a list with something in it', 'an empty list', exchange)
    return inconclusive(`no list was found in what is shown; declare \`dialect.lists.${listing}\``)
  })
}

/** A limited list is no longer than the limit, given that there are more items. */
export function withinLimit(whole: Exchange, limited: Exchange, limit: number, dialect: Dialect): Judgement {
  return given(all(showsSomething(whole), showsSomething(limited)), () => {
    const [place, ...others] = candidates(shownIn(whole) ?? null, 'invoices', dialect)
    if (!place || others.length > 0)
      return inconclusive(
        `${others.length === 0 ? 'no list was' : 'several lists were'} found in what is shown; declare \`dialect.lists.invoices\``,
      )
    const [pointer, every] = place
    const some = at(shownIn(limited) ?? null, pointer)
    if (!isArray(some)) return inconclusive(`what is shown with a limit has no list at \`${pointer}\``)
    if (every.length <= limit)
      return inconclusive(`there are ${every.length} in all, so that a limit of ${limit} shows nothing`)
    return check(some.length <= limit, `no more than ${limit}`, `${some.length}`, limited)
  })
}
