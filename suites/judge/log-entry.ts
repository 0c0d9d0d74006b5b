/**
 * Judgements on the log of a webhook, beside what reached its endpoint. What the target declares is judged where it
 * stands; elsewhere the entries are searched, and a search that finds nothing certain says so and judges nothing.
 */
import { limits } from '../../spec/index.ts'
import type { Judgement } from '../engine/judgement.ts'
import type { Dialect } from '../target/dialect.ts'
import { json } from '../wire/body.ts'
import type { Exchange } from '../wire/exchange.ts'
import { shown } from './answer.ts'
import { answeredWith, attemptsIn, deliveriesIn, envelope, eventSaid, took2xx } from './deliveries.ts'
import { excerpt } from './excerpt.ts'
import { broken, check, every, given, inconclusive, pass } from './expect.ts'
import {
  declaredLeaf,
  entriesOf,
  leavesOf,
  numberOf,
  type Entry,
  type Leaf,
  type LogMember,
} from './log-list.ts'
import { taken } from './managed.ts'

/** A log, and everything that reached the endpoint of its webhook. */
export interface Logged {
  log: Exchange
  arrived: readonly Exchange[]
  dialect: Dialect
}

/** The entries of what reached the endpoint; of other events there may be more. */
export function entriesOfArrived({ log, arrived, dialect }: Logged): readonly Entry[] {
  const events = new Set(attemptsIn(arrived).map(eventSaid))
  const found = entriesOf(log, dialect) ?? []
  return found.filter((entry) =>
    leavesOf(entry).some(({ value }) => typeof value === 'string' && events.has(value)),
  )
}

/** Something reached the endpoint, and the log can be read and has a list of objects. */
export function hasList({ log, arrived, dialect }: Logged): Judgement {
  if (attemptsIn(arrived).length === 0) return inconclusive('no delivery reached the receiver')
  const read = taken(log)
  if (read.is !== 'pass') return read
  const body = json(log)
  if (!body.ok) return broken('a log in JSON', body.why, log)
  return check(entriesOf(log, dialect) !== null, 'a log with a list of entries', shown(log, 120), log)
}

/** An entry for each delivery that is over. A test need not be logged, so without any of one nothing is said. */
export function hasEntries(logged: Logged, is: 'live' | 'test'): Judgement {
  const list = hasList(logged)
  if (list.is !== 'pass') return list
  const deliveries = deliveriesIn(logged.arrived).filter(isOver).length
  if (deliveries === 0) return inconclusive('no delivery was over when the log was read')
  const all = entriesOf(logged.log, logged.dialect)?.length ?? 0
  if (is === 'test' && all < deliveries) return inconclusive('the log does not show tests')
  return check(all >= deliveries, `at least ${deliveries} entries`, `${all}`, logged.log)
}

/** It succeeded, or failed for good: a log may wait for that. */
function isOver(attempts: readonly Exchange[]): boolean {
  return attempts.some(took2xx) || attempts.length >= limits.webhookAttempts
}

/** Judges the entries of what reached the endpoint, where there are any. */
function eachEntry(logged: Logged, judge: (entry: Entry) => Judgement): Judgement {
  return given(hasList(logged), () => {
    const found = entriesOfArrived(logged)
    return found.length === 0 ? inconclusive('the log has no entry of the event') : every(found, judge)
  })
}

/** The event and a time near it. */
export function hasEvent(logged: Logged, is: 'live' | 'test'): Judgement {
  const { log, arrived, dialect } = logged
  return given(hasEntries(logged, is), () => {
    const said = attemptsIn(arrived).map(eventSaid)
    const names = [...new Set(said.filter((name) => name !== null))].join(', ')
    if (names === '') return inconclusive('no delivery said which event it was of')
    if (entriesOfArrived(logged).length === 0)
      return is === 'live'
        ? broken(`an entry that names ${names}`, shown(log, 120), log)
        : inconclusive('the log does not show the event of the test')
    return eachEntry(logged, (entry) => {
      const leaf = declaredLeaf(entry, 'event', dialect)
      if (leaf === null) return broken(`the event at ${dialect.log?.event}`, 'nothing there', log)
      return given(check(!leaf || names.includes(String(leaf.value)), names, words(leaf), log), () =>
        hasTime(entry, logged),
      )
    })
  })
}

/** A log of another day would be another delivery; clocks within a service differ by less. */
const nearMs = 3_600_000

function hasTime(entry: Entry, { log, arrived, dialect }: Logged): Judgement {
  const reference = timeOf(envelope(attemptsIn(arrived)[0] ?? log)?.['timestamp'])
  const isNear = ({ value }: Leaf): boolean => {
    const time = timeOf(value)
    return time !== null && (reference === null || Math.abs(time - reference) <= nearMs)
  }
  const said = declaredLeaf(entry, 'timestamp', dialect)
  if (said !== undefined)
    return check(said !== null && isNear(said), 'a time near that of the delivery', words(said), log)
  return leavesOf(entry).some(isNear) ? pass : unsure('timestamp')
}

/** Milliseconds since 1970 of a text, or of a number of seconds, milliseconds or less. */
function timeOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{10,19}$/.test(value) ? Number(value) : value
  if (typeof number === 'string') {
    const time = /\d{4}-?\d{2}-?\d{2}/.test(number) ? Date.parse(number) : Number.NaN
    return Number.isNaN(time) ? null : time
  }
  if (typeof number !== 'number') return null
  const scale = [1000, 1, 1e-3, 1e-6].find((factor) => number * factor > 1e12 && number * factor < 1e13)
  return scale === undefined ? null : number * scale
}

/** The status that we answered. */
export function hasStatus(logged: Logged): Judgement {
  const { log, arrived, dialect } = logged
  const statuses = attemptsIn(arrived)
    .map(answeredWith)
    .filter((status) => status !== null)
  if (statuses.length === 0) return inconclusive('nothing was answered')
  const isOne = ({ value }: Leaf): boolean => {
    const said = typeof value === 'string' ? value.match(/\b[1-5]\d\d\b/g)?.map(Number) : [value]
    return said?.some((one) => typeof one === 'number' && statuses.includes(one)) ?? false
  }
  return eachEntry(logged, (entry) => {
    const said = declaredLeaf(entry, 'status', dialect)
    const expected = `the status ${[...new Set(statuses)].join(' or ')}`
    if (said !== undefined) return check(said !== null && isOne(said), expected, words(said), log)
    return leavesOf(entry).some(isOne) ? pass : unsure('status')
  })
}

/** Names under which a response time is looked for. */
const timeName = /(?:duration|latency|elapsed|response_?time|took|(?:^|_)ms$|_ms$|Ms$)/i

export function hasResponseTime(logged: Logged): Judgement {
  const { log, dialect } = logged
  const isTime = ({ value }: Leaf): boolean => (numberOf(value) ?? -1) >= 0
  return eachEntry(logged, (entry) => {
    const said = declaredLeaf(entry, 'time', dialect)
    if (said !== undefined) return check(said !== null && isTime(said), 'a response time', words(said), log)
    const named = leavesOf(entry).filter(({ path }) => timeName.test(path.slice(path.lastIndexOf('/') + 1)))
    return named.some(isTime) ? pass : unsure('time')
  })
}

export function unsure(member: LogMember): Judgement {
  return inconclusive(`no member of an entry can be told to be it; declare dialect.log.${member}`)
}

function words(leaf: Leaf | null | undefined): string {
  return leaf ? `${leaf.path}: ${excerpt(JSON.stringify(leaf.value))}` : 'nothing there'
}
