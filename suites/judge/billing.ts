/** Judgements on what billing reads show. */
import type { Judgement } from '../engine/judgement.ts'
import { json, member } from '../wire/body.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Json } from '../wire/json.ts'
import { at } from '../wire/json.ts'
import { answered, shown, status } from './answer.ts'
import { remaining, used, wereAdded } from './credits.ts'
import { all, broken, check, given, inconclusive, pass, weak } from './expect.ts'
import { inside, isArray, isMembers } from './pointer.ts'
import { shownIn } from './pointer-state.ts'
import { failureCode, receiptStatus, told } from './receipt.ts'
import { succeeded } from './reply.ts'

/** The read was answered: 200 at a route, a completed receipt where an operation does it. */
export function showsSomething(exchange: Exchange): Judgement {
  return given(answered(exchange), () => {
    const isExecution = exchange.request.path.includes('/operation-executions/')
    if (isExecution)
      return check(receiptStatus(exchange) === 'completed', 'a completed receipt', told(exchange), exchange)
    const judged = status(exchange, 200)
    if (judged.is !== 'pass') return judged
    const body = json(exchange)
    const has = body.ok && !isEmpty(body.value) && failureCode(exchange) === null
    return check(has, 'JSON with something in it', shown(exchange, 80), exchange)
  })
}

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && Object.keys(value ?? {}).length === 0
}

/** The read may not be had with this key: what is wrong is then not the read. */
export function readable(exchange: Exchange, judge: (body: Json) => Judgement): Judgement {
  const judged = showsSomething(exchange)
  if (judged.is !== 'pass') return judged
  const body = shownIn(exchange)
  return body === undefined ? broken('something to read', shown(exchange, 80), exchange) : judge(body)
}

/** A filled text at each of these places. */
export function hasTexts(exchange: Exchange, ...pointers: readonly string[]): Judgement {
  return readable(exchange, (body) => {
    const lacking = pointers.find((pointer) => {
      const value = at(body, pointer)
      return typeof value !== 'string' || value === ''
    })
    if (lacking === undefined) return pass
    return broken(`a text at ${lacking}`, JSON.stringify(at(body, lacking)) ?? 'none', exchange)
  })
}

export function creditsIn(usage: Exchange): number | null {
  const value = member(usage, '/credits/remaining')
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** Tolerance, as for the credits of chat: one millionth of a credit. */
const tolerance = 1e-6

/** The usage tells the credits that the turn right before it left. */
export function agrees(turn: Exchange, usage: Exchange): Judgement {
  return given(succeeded(turn), () =>
    given(status(usage, 200), () => {
      const [left, read] = [remaining(turn), creditsIn(usage)]
      if (left === null || read === null) return inconclusive('one of the two tells no number of credits')
      return check(Math.abs(left - read) <= tolerance, `${left} credits left`, `${read} left`, usage)
    }),
  )
}

/** Each usage tells what its turn left. Where one tells far more, and another agrees, the account was filled up. */
export function allAgree(...pairs: readonly (readonly [turn: Exchange, usage: Exchange])[]): Judgement {
  const judged = pairs.map(([turn, usage]) => agrees(turn, usage))
  const apart = pairs.filter((_, nth) => judged[nth]?.is === 'broken')
  return apart.length > 0 && apart.length < pairs.length && apart.every(isFilledUp)
    ? inconclusive('credits were added between a turn and the usage after it')
    : all(...judged)
}

function isFilledUp([turn, usage]: readonly [Exchange, Exchange]): boolean {
  const [left, read, spent] = [remaining(turn), creditsIn(usage), used(turn)]
  return left !== null && read !== null && wereAdded(left, read, spent ?? 0)
}

/** Of the lists in what is shown, the one nearest to the top that has objects; else the first. */
export function listIn(body: Json): readonly Json[] | null {
  const lists = [...inside(body)].map(({ value }) => value).filter(isArray)
  return lists.find((list) => list.length > 0 && list.every(isMembers)) ?? lists[0] ?? null
}

export function lists(exchange: Exchange): Judgement {
  return readable(exchange, (body) => {
    const list = listIn(body)
    if (list && list.length > 0) return pass
    if (list) return weak('a list with something in it', 'an empty list', exchange)
    return inconclusive('what is shown has no list in it, so that it is not known what is listed')
  })
}

/** A limited list has no more than it may, where there is more to be had. */
export function withinLimit(whole: Exchange, limited: Exchange, limit: number): Judgement {
  return given(showsSomething(whole), () =>
    given(showsSomething(limited), () => {
      const [all, some] = [whole, limited].map((one) => listIn(shownIn(one) ?? null))
      if (!all || !some) return inconclusive('no list was found in what is shown')
      if (all.length <= limit)
        return inconclusive(`there are ${all.length} in all, so that a limit of ${limit} shows nothing`)
      return check(some.length <= limit, `no more than ${limit}`, `${some.length}`, limited)
    }),
  )
}
