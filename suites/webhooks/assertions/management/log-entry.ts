/**
 * Judgements on the log of a webhook, compared with the requests to its endpoint. Values are read at the declared
 * pointers; without them the entries are searched, and an uncertain result is inconclusive.
 */
import { limits } from '../../../../spec/index.ts'
import type { Judgement } from '../../../scenario/scenario.ts'
import type { Dialect } from '../../../config/dialect.ts'
import { type Exchange, excerpt, json } from '../../../wire/exchange.ts'
import { shown } from '../../../assertions/answer.ts'
import { answeredWith, attemptsIn, deliveriesIn, envelope, eventNameOf, took2xx } from '../deliveries.ts'
import { fail, check, every, given, inconclusive, pass } from '../../../scenario/expect.ts'
import {
  declaredLeaves,
  entriesOf,
  leavesOf,
  numberOf,
  type LogEntry,
  type Leaf,
  type LogMember,
} from './log-list.ts'
import { requestAccepted } from './managed.ts'

/** A log, and all requests to the endpoint of its webhook. */
export interface Logged {
  log: Exchange
  arrived: readonly Exchange[]
  dialect: Dialect
}

/** The entries of deliveries that arrived; there may be more of other events. All entries if none can be assigned. */
export function entriesOfArrived(logged: Logged): readonly LogEntry[] {
  const naming = entriesNaming(logged)
  const isDeclared = logged.dialect.log?.event !== undefined
  return naming.length > 0 || isDeclared ? naming : (entriesOf(logged.log, logged.dialect) ?? [])
}

function entriesNaming({ log, arrived, dialect }: Logged): readonly LogEntry[] {
  const events = attemptsIn(arrived).map(eventNameOf)
  const found = entriesOf(log, dialect) ?? []
  return found.filter((entry) =>
    (declaredLeaves(entry, 'event', dialect) ?? leavesOf(entry)).some(({ value }) =>
      events.some((event) => event !== null && names(value, event)),
    ),
  )
}

/** A log may write the name of an event with other separators, in another case, or within other text. */
function names(value: Leaf['value'], event: string): boolean {
  const bare = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '')
  return typeof value === 'string' && bare(value).includes(bare(event))
}

/** Something reached the endpoint, and the log has a list of objects. */
export function hasList({ log, arrived, dialect }: Logged): Judgement {
  if (attemptsIn(arrived).length === 0) return inconclusive('no delivery reached the receiver')
  const read = requestAccepted(log)
  if (read.is !== 'pass') return read
  const body = json(log)
  if (!body.ok) return fail('a log in JSON', body.why, log)
  if (entriesOf(log, dialect) !== null) return pass
  return dialect.log?.entries === undefined
    ? inconclusive('no list of entries was found in the log; declare dialect.log.entries')
    : fail(`a list of entries at ${dialect.log.entries}`, shown(log, 120), log)
}

/** An entry for each completed delivery. Tests may not be logged, so without any entry of one this is inconclusive. */
export function hasEntries(logged: Logged, is: 'live' | 'test'): Judgement {
  const list = hasList(logged)
  if (list.is !== 'pass') return list
  const deliveries = deliveriesIn(logged.arrived).filter(isOver).length
  if (deliveries === 0) return inconclusive('no delivery was over when the log was read')
  const all = entriesOf(logged.log, logged.dialect)?.length ?? 0
  if (is === 'test' && all < deliveries) return inconclusive('the log does not show tests')
  return check(all >= deliveries, `at least ${deliveries} entries`, `${all}`, logged.log)
}

/** It succeeded or finally failed; a log may be written only then. */
function isOver(attempts: readonly Exchange[]): boolean {
  return attempts.some(took2xx) || attempts.length >= limits.webhookAttempts
}

/** Judges the entries of deliveries that arrived, if there are any. */
function eachEntry(logged: Logged, judge: (entry: LogEntry) => Judgement): Judgement {
  return given(hasList(logged), () => {
    const found = entriesOfArrived(logged)
    return found.length === 0 ? inconclusive('the log has no entry of the event') : every(found, judge)
  })
}

/** The event and a time near it. */
export function hasEvent(logged: Logged, is: 'live' | 'test'): Judgement {
  const { log, arrived, dialect } = logged
  return given(hasEntries(logged, is), () => {
    const said = attemptsIn(arrived).map(eventNameOf)
    const wanted = [...new Set(said.filter((name) => name !== null))].join(', ')
    if (wanted === '') return inconclusive('no delivery said which event it was of')
    if (entriesNaming(logged).length > 0) return eachEntry(logged, (entry) => hasTime(entry, logged))
    if (dialect.log?.event === undefined) return unsure('event')
    return is === 'live'
      ? fail(`an entry that names ${wanted} at ${dialect.log.event}`, shown(log, 120), log)
      : inconclusive('the log does not show the event of the test')
  })
}

/** Another day would be another delivery; clocks within a service differ by less. */
const nearMs = 3_600_000
/** The same for a time without a zone, which may be in any. */
const unzonedMs = 15 * nearMs

function hasTime(entry: LogEntry, { log, arrived, dialect }: Logged): Judgement {
  const reference = timeOf(envelope(attemptsIn(arrived)[0] ?? log)?.['timestamp'])
  const said = declaredLeaves(entry, 'timestamp', dialect)
  const isNear = ({ value }: Leaf): boolean => {
    const time = timeOf(value, said !== undefined)
    const most = typeof value === 'string' && !zone.test(value) ? unzonedMs : nearMs
    return time !== null && (reference === null || Math.abs(time - reference) <= most)
  }
  if (said !== undefined)
    return check(said.some(isNear), 'a time near that of the delivery', words(said), log)
  return leavesOf(entry).some(isNear) ? pass : unsure('timestamp')
}

const zone = /(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}|^\d+)$/i

/**
 * Milliseconds since 1970 of a string, or of a number in seconds, milliseconds or a smaller unit. `isTime`: the
 * string is known to be a time, so a date in any form counts.
 */
function timeOf(value: unknown, isTime = false): number | null {
  const number = typeof value === 'string' && /^\d{10,19}$/.test(value) ? Number(value) : value
  if (typeof number === 'string') {
    const time = isTime || /\d{4}-?\d{2}-?\d{2}/.test(number) ? Date.parse(number) : Number.NaN
    return Number.isNaN(time) ? null : time
  }
  if (typeof number !== 'number') return null
  const scale = [1000, 1, 1e-3, 1e-6].find((factor) => number * factor > 1e12 && number * factor < 1e13)
  return scale === undefined ? null : number * scale
}

/** The status of our response. */
export function hasStatus(logged: Logged): Judgement {
  const { log, arrived, dialect } = logged
  const statuses = attemptsIn(arrived)
    .map(answeredWith)
    .filter((status) => status !== null)
  if (statuses.length === 0) return inconclusive('nothing was answered')
  const isOne = ({ value }: Leaf): boolean => {
    const said = typeof value === 'string' ? value.match(/(?<!\d)[1-5]\d\d(?!\d)/g)?.map(Number) : [value]
    return said?.some((one) => typeof one === 'number' && statuses.includes(one)) ?? false
  }
  return eachEntry(logged, (entry) => {
    const said = declaredLeaves(entry, 'status', dialect)
    const expected = `the status ${[...new Set(statuses)].join(' or ')}`
    if (said !== undefined) return check(said.some(isOne), expected, words(said), log)
    return leavesOf(entry).some(isOne) ? pass : unsure('status')
  })
}

/** Names of members that contain a response time. */
const timeName = /(?:duration|latency|elapsed|response_?time|took|(?:^|_)ms$|_ms$|Ms$)/i

export function hasResponseTime(logged: Logged): Judgement {
  const { log, dialect } = logged
  const isTime = ({ value }: Leaf): boolean => (numberOf(value) ?? -1) >= 0
  return eachEntry(logged, (entry) => {
    const said = declaredLeaves(entry, 'time', dialect)
    if (said !== undefined)
      return check(said.some(isTime) || said.some(isDuration), 'a response time', words(said), log)
    const named = leavesOf(entry).filter(({ path }) => timeName.test(path.slice(path.lastIndexOf('/') + 1)))
    return named.some(isTime) ? pass : unsure('time')
  })
}

/** Such as `PT0.25S` or `00:00:00.250`. */
const isDuration = ({ value }: Leaf): boolean =>
  typeof value === 'string' && /^(?:P|\d+:)[\dTHMS:.,]*\d[HMS]?$/i.test(value)

export function unsure(member: LogMember): Judgement {
  return inconclusive(`no member of an entry is clearly the one; declare dialect.log.${member}`)
}

function words(leaves: readonly Leaf[]): string {
  const [first] = leaves
  return first
    ? `${first.path}: ${excerpt(leaves.map(({ value }) => JSON.stringify(value)).join(', '))}`
    : 'nothing there'
}
