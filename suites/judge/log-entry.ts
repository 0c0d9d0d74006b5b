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
import { answeredWith, attemptsIn, deliveriesIn, envelope, eventOf, took2xx } from './deliveries.ts'
import { excerpt } from './excerpt.ts'
import { broken, check, every, given, inconclusive, pass } from './expect.ts'
import { declaredLeaf, entriesOf, leavesOf, numberOf, type Leaf, type LogMember } from './log-list.ts'
import { taken } from './managed.ts'

/** A log, and everything that reached the endpoint of its webhook. */
export interface Logged {
  log: Exchange
  arrived: readonly Exchange[]
  dialect: Dialect
}

type Entry = NonNullable<ReturnType<typeof entriesOf>>[number]

/** The entries of what reached the endpoint; of other events there may be more. */
function entries({ log, arrived, dialect }: Logged): readonly Entry[] {
  const events = new Set(attemptsIn(arrived).map(eventOf))
  const found = entriesOf(log, dialect) ?? []
  return found.filter((entry) =>
    leavesOf(entry).some(({ value }) => typeof value === 'string' && events.has(value)),
  )
}

/** Something reached the endpoint, and the log has a list of objects. */
function hasList({ log, arrived, dialect }: Logged): Judgement {
  if (attemptsIn(arrived).length === 0) return inconclusive('no delivery reached the receiver')
  return given(taken(log), () => {
    const body = json(log)
    if (!body.ok) return broken('a log in JSON', body.why, log)
    return check(entriesOf(log, dialect) !== null, 'a log with a list of entries', shown(log, 120), log)
  })
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
    const found = entries(logged)
    return found.length === 0 ? inconclusive('the log has no entry of the event') : every(found, judge)
  })
}

/** The event and a time near it. */
export function hasEvent(logged: Logged, is: 'live' | 'test'): Judgement {
  const { log, arrived, dialect } = logged
  return given(hasEntries(logged, is), () => {
    const names = [...new Set(attemptsIn(arrived).map(eventOf))].join(', ')
    if (entries(logged).length === 0)
      return is === 'live'
        ? broken(`an entry that names ${names}`, shown(log, 120), log)
        : inconclusive('the log does not show the event of the test')
    return eachEntry(logged, (entry) => {
      const said = declaredLeaf(entry, 'event', dialect)
      if (said === null) return broken(`the event at ${dialect.log?.event}`, 'nothing there', log)
      return given(check(!said || names.includes(String(said.value)), names, words(said), log), () =>
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

/** A truth value or a word that is one thing for what succeeded and another for what failed. */
export function tellsApart(succeeded: Logged, failed: Logged): Judgement {
  return bothTold(succeeded, failed, (ours, theirs) => {
    const { dialect } = succeeded
    if (dialect.log?.success !== undefined) {
      const [good, bad] = [
        declaredValues(ours, 'success', dialect),
        declaredValues(theirs, 'success', dialect),
      ]
      const got = `${good.join(', ')} where it succeeded, ${bad.join(', ')} where it failed`
      const holds = ![...good, ...bad].includes(null) && !good.some((one) => bad.includes(one))
      return check(holds, 'one thing for success and another for failure', got, failed.log)
    }
    const paths = pathsOf(ours).filter((path) => {
      const [good, bad] = [valuesAt(ours, path), valuesAt(theirs, path)]
      return [...good, ...bad].every(isVerdict) && !good.some((one) => bad.includes(one)) && bad.length > 0
    })
    return paths.length > 0 ? pass : unsure('success')
  })
}

const isVerdict = (value: Leaf['value']): boolean =>
  typeof value === 'boolean' || (typeof value === 'string' && /^[a-z][a-z _-]{1,30}$/i.test(value))

/** Two or three, whether the first attempt is counted or not, and fewer where it succeeded at once. */
export function countsRetries(succeeded: Logged, failed: Logged): Judgement {
  if (attemptsIn(failed.arrived).length < 3)
    return inconclusive('the failed delivery was not tried three times')
  return bothTold(succeeded, failed, (ours, theirs) => {
    const { dialect } = succeeded
    const counts = (good: readonly Leaf['value'][], bad: readonly Leaf['value'][]): boolean => {
      const [few, many] = [most(good), most(bad)]
      return few !== null && many !== null && few < many && few <= 1 && (many === 2 || many === 3)
    }
    if (dialect.log?.retries !== undefined) {
      const [good, bad] = [
        declaredValues(ours, 'retries', dialect),
        declaredValues(theirs, 'retries', dialect),
      ]
      const got = `${good.join(', ')} after one attempt, ${bad.join(', ')} after three`
      return check(counts(good, bad), '0 or 1 after one attempt, 2 or 3 after three', got, failed.log)
    }
    const found = pathsOf(theirs).some((path) => counts(valuesAt(ours, path), valuesAt(theirs, path)))
    return found ? pass : unsure('retries')
  })
}

/** Judges the entries of a delivery that succeeded beside those of one that failed. */
function bothTold(
  succeeded: Logged,
  failed: Logged,
  judge: (succeeded: readonly Entry[], failed: readonly Entry[]) => Judgement,
): Judgement {
  return given(hasList(succeeded), () =>
    given(hasList(failed), () => {
      const [ours, theirs] = [entries(succeeded), entries(failed)]
      if (ours.length === 0 || theirs.length === 0) return inconclusive('the log has no entry of the event')
      return judge(ours, theirs)
    }),
  )
}

/** A delivery that was not answered: the log shows it as one that failed, and no status with it. */
export function failedUnanswered(log: Exchange, dialect: Dialect): 'yes' | 'answered' | 'unknown' {
  const found = entriesOf(log, dialect) ?? []
  if (found.length === 0) return 'unknown'
  const declared = dialect.log?.status
  const values = found.flatMap((entry) =>
    declared === undefined
      ? leavesOf(entry)
      : [declaredLeaf(entry, 'status', dialect) ?? { path: '', value: null }],
  )
  const statuses = values.filter(({ value }) => typeof value === 'number' && value >= 100 && value <= 599)
  if (statuses.length === 0) return 'yes'
  return declared === undefined ? 'unknown' : 'answered'
}

function pathsOf(found: readonly Entry[]): readonly string[] {
  return [...new Set(found.flatMap((entry) => leavesOf(entry).map(({ path }) => path)))]
}

function valuesAt(found: readonly Entry[], path: string): readonly Leaf['value'][] {
  return found.flatMap((entry) =>
    leavesOf(entry)
      .filter((leaf) => leaf.path === path)
      .map(({ value }) => value),
  )
}

function declaredValues(
  found: readonly Entry[],
  member: LogMember,
  dialect: Dialect,
): readonly Leaf['value'][] {
  return found.map((entry) => declaredLeaf(entry, member, dialect)?.value ?? null)
}

function most(values: readonly Leaf['value'][]): number | null {
  const numbers = values.map(numberOf).filter((one) => one !== null)
  return numbers.length === 0 ? null : Math.max(...numbers)
}

function unsure(member: LogMember): Judgement {
  return inconclusive(`no member of an entry can be told to be it; declare dialect.log.${member}`)
}

function words(leaf: Leaf | null | undefined): string {
  return leaf ? `${leaf.path}: ${excerpt(JSON.stringify(leaf.value))}` : 'nothing there'
}
