/**
 * Judgements on the log of a webhook, compared with the requests to its endpoint. Values are read at the declared
 * pointers; without them the entries are searched, and an uncertain result is inconclusive.
 */
import { limits } from '../../../../spec/index.ts'
import type { Judgement } from '../../../scenario/scenario.ts'
import type { Dialect } from '../../../config/dialect.ts'
import { type Exchange, excerpt, json, at, type Json } from '../../../wire/exchange.ts'
import { shown } from '../../../assertions/answer.ts'
import { answeredWith, attemptsIn, deliveriesIn, envelope, eventNameOf, took2xx } from '../deliveries.ts'
import { fail, check, every, given, inconclusive, pass, inTurn, need } from '../../../scenario/expect.ts'
import { requestAccepted } from './webhook-record.ts'
import { isObject } from '../../../../spec/json.ts'

/** Finds the entries of a log, and the values of an entry. The contract shows no name of any. */
type LogMember = Exclude<keyof NonNullable<Dialect['log']>, 'entries'>

interface Leaf {
  /** JSON pointer within the entry; a list is one leaf, by its length. */
  path: string
  value: string | number | boolean | null
}

type LogEntry = Readonly<Record<string, Json>>

const isEntries = (value: unknown): value is readonly LogEntry[] =>
  Array.isArray(value) && value.every((one) => isObject(one))

/** The entries of a log: at the declared pointer, else the first list of objects; null without one. */
export function entriesOf(log: Exchange, { log: declared }: Dialect): readonly LogEntry[] | null {
  const body = json(log)
  if (!body.ok) return null
  if (declared?.entries !== undefined) return listAt(body.value, declared.entries)
  return firstList([body.value])
}

/** The entries may be a list, or an object with one entry for each name; with `*` in the pointer, several of them. */
function listAt(value: Json, pointer: string): readonly LogEntry[] | null {
  const found = allAt(value, pointer).map((one) => (isObject(one) ? Object.values(one) : one))
  return found.length > 0 && found.every(isEntries) ? found.flat() : null
}

/** The values at a JSON pointer; a segment `*` matches every item or member. */
function allAt(value: Json, pointer: string): readonly Json[] {
  const steps = pointer === '' ? [] : pointer.slice(1).split('/')
  return steps.reduce<readonly Json[]>((found, step) => found.flatMap((one) => partsOf(one, step)), [value])
}

function partsOf(value: Json, step: string): readonly Json[] {
  if (step === '*') return typeof value === 'object' && value !== null ? Object.values(value) : []
  const found = at(value, `/${step}`)
  return found === undefined ? [] : [found]
}

function firstList(level: readonly Json[]): readonly LogEntry[] | null {
  if (level.length === 0) return null
  const lists = level.filter(isEntries)
  const found = lists.find((list) => list.length > 0) ?? lists[0]
  if (found) return found
  return firstList(level.flatMap((value) => (isObject(value) ? Object.values(value) : [])))
}

/** Every value of an entry at any depth; for a list its length as well. */
export function leavesOf(value: Json, path = ''): readonly Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }]
  const inner = Object.entries(value).flatMap(([name, one]: [string, Json]) =>
    leavesOf(one, `${path}/${name}`),
  )
  return Array.isArray(value) ? [{ path, value: value.length }, ...inner] : inner
}

/** The values of an entry at the declared pointer, several with `*`; undefined if none is declared. */
function declaredLeaves(
  entry: LogEntry,
  member: LogMember,
  { log: declared }: Dialect,
): readonly Leaf[] | undefined {
  const path = declared?.[member]
  if (path === undefined) return undefined
  return allAt(entry, path).map((found) => leavesOf(found, path)[0] ?? { path, value: null })
}

/** A number, or a string with a number and an optional unit. */
function numberOf(value: Leaf['value']): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return null
  const [, digits] = /^\s*(\d+(?:\.\d+)?)\s*(?:[a-zµ]{1,12}\.?)?\s*$/i.exec(value) ?? []
  return digits === undefined ? null : Number(digits)
}

/** Whether the log shows the delivery as failed and without a status, because nothing responded. */
export function failedUnanswered(log: Exchange, dialect: Dialect): 'yes' | 'answered' | 'unknown' {
  const found = entriesOf(log, dialect) ?? []
  if (found.length === 0) return 'unknown'
  const declared = dialect.log?.status
  const values = found.flatMap((entry) =>
    declared === undefined ? leavesOf(entry) : (declaredLeaves(entry, 'status', dialect) ?? []),
  )
  const statuses = values.filter(({ value }) => typeof value === 'number' && value >= 100 && value <= 599)
  if (statuses.length === 0) return 'yes'
  return declared === undefined ? 'unknown' : 'answered'
}

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
  // It succeeded or finally failed; a log may be written only then.
  const deliveries = deliveriesIn(logged.arrived).filter(
    (attempts) => attempts.some(took2xx) || attempts.length >= limits.webhookAttempts,
  ).length
  if (deliveries === 0) return inconclusive('no delivery was over when the log was read')
  const all = entriesOf(logged.log, logged.dialect)?.length ?? 0
  if (is === 'test' && all < deliveries) return inconclusive('the log does not show tests')
  return check(all >= deliveries, `at least ${deliveries} entries`, `${all}`, logged.log)
}

/** Judges the entries of deliveries that arrived, if there are any. */
function eachEntry(logged: Logged, judge: (entry: LogEntry) => Judgement): Judgement {
  return given(hasList(logged), () => {
    const found = entriesOfArrived(logged)
    return found.length === 0 ? inconclusive('the log has no entry of the event') : every(found, judge)
  })
}

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

const isDuration = ({ value }: Leaf): boolean =>
  typeof value === 'string' && /^(?:P|\d+:)[\dTHMS:.,]*\d[HMS]?$/i.test(value)

function unsure(member: LogMember): Judgement {
  return inconclusive(`no member of an entry is clearly the one; declare dialect.log.${member}`)
}

function words(leaves: readonly Leaf[]): string {
  const [first] = leaves
  return first
    ? `${first.path}: ${excerpt(leaves.map(({ value }) => JSON.stringify(value)).join(', '))}`
    : 'nothing there'
}

/** A boolean or a word with one value for the success and another for the failure. */
export function distinguishesSuccess(succeeded: Logged, failed: Logged): Judgement {
  return bothLogged(succeeded, failed, (ours, theirs) => {
    const { dialect } = succeeded
    if (dialect.log?.success !== undefined) {
      const [good, bad] = [
        declaredValues(ours, 'success', dialect),
        declaredValues(theirs, 'success', dialect),
      ]
      const got = `${good.join(', ')} where it succeeded, ${bad.join(', ')} where it failed`
      const holds = !good.some((one) => bad.includes(one))
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

/** Two or three, depending on whether the first attempt counts, and fewer if the first attempt succeeded. */
export function countsRetries(succeeded: Logged, failed: Logged): Judgement {
  if (attemptsIn(failed.arrived).length < 3)
    return inconclusive('the failed delivery was not tried three times')
  return bothLogged(succeeded, failed, (ours, theirs) => {
    const { dialect } = succeeded
    // A delivery that was accepted may have been duplicated.
    const fewMost = Math.max(1, attemptsIn(succeeded.arrived).length)
    const counts = (good: readonly Leaf['value'][], bad: readonly Leaf['value'][]): boolean => {
      const [few, many] = [most(good), most(bad)]
      return few !== null && many !== null && few < many && few <= fewMost && (many === 2 || many === 3)
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

/** Judges the entries of a successful delivery together with those of a failed one. */
function bothLogged(
  succeeded: Logged,
  failed: Logged,
  judge: (succeeded: readonly LogEntry[], failed: readonly LogEntry[]) => Judgement,
): Judgement {
  return inTurn(need(hasList(succeeded)), need(hasList(failed)), () => {
    const [ours, theirs] = [entriesOfArrived(succeeded), entriesOfArrived(failed)]
    if (ours.length === 0 || theirs.length === 0) return inconclusive('the log has no entry of the event')
    return judge(ours, theirs)
  })
}

function pathsOf(found: readonly LogEntry[]): readonly string[] {
  return [...new Set(found.flatMap((entry) => leavesOf(entry).map(({ path }) => path)))]
}

function valuesAt(found: readonly LogEntry[], path: string): readonly Leaf['value'][] {
  return found.flatMap((entry) =>
    leavesOf(entry)
      .filter((leaf) => leaf.path === path)
      .map(({ value }) => value),
  )
}

/** Null for a value that an entry does not have. */
function declaredValues(
  found: readonly LogEntry[],
  member: LogMember,
  dialect: Dialect,
): readonly Leaf['value'][] {
  return found.flatMap((entry) => {
    const values = (declaredLeaves(entry, member, dialect) ?? []).map(({ value }) => value)
    return values.length > 0 ? values : [null]
  })
}

function most(values: readonly Leaf['value'][]): number | null {
  const numbers = values.map(numberOf).filter((one) => one !== null)
  return numbers.reduce<number | null>((one, other) => Math.max(one ?? other, other), null)
}
