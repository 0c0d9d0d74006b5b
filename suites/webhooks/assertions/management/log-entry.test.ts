import { describe, expect, it, test } from 'vitest'
import type { Dialect } from '../../../config/dialect.ts'
import { jsonAnswer } from '../../../assertions/exchange.testkit.ts'
import { attempt, sample } from '../../../assertions/inbound.testkit.ts'
import { countsRetries, distinguishesSuccess } from './log-contrast.ts'
import { hasEntries, hasEvent, hasResponseTime, hasStatus, type Logged } from './log-entry.ts'
import { declaredLeaves, entriesOf } from './log-list.ts'

const { eventType: event, timestamp: at } = sample
const dialect: Dialect = {
  log: {
    entries: '/logs',
    event: '/e',
    timestamp: '/at',
    status: '/s',
    time: '/t',
    success: '/ok',
    retries: '/r',
  },
}
const good = { e: event, at, s: 202, t: 35, ok: true, r: 0 }
const bad = { e: event, at, s: 418, t: 12, ok: false, r: 2 }
const arrivedGood = [attempt({ id: 'whd_1', status: 202 })]
const arrivedBad = [1, 2, 3].map(() => attempt({ id: 'whd_2', status: 418 }))

const ofGood = (entries: readonly object[] = [good], declared: Dialect = dialect): Logged => ({
  log: jsonAnswer({ logs: entries }),
  arrived: arrivedGood,
  dialect: declared,
})
const ofBad = (entries: readonly object[] = [bad], declared: Dialect = dialect): Logged => ({
  log: jsonAnswer({ logs: entries }),
  arrived: arrivedBad,
  dialect: declared,
})

describe.each([
  ['declared', dialect],
  ['searched', {}],
])('a log that conforms, with its members %s', (_, declared) => {
  const [one, two] = [ofGood([good], declared), ofBad([bad], declared)]
  it.each([
    ['has its entries', hasEntries(two, 'live')],
    ['has event and time', hasEvent(two, 'live')],
    ['has the status', hasStatus(two)],
    ['distinguishes success from failure', distinguishesSuccess(one, two)],
    ['counts retries', countsRetries(one, two)],
  ])('%s', (__, { is }) => {
    expect(is).toBe('pass')
  })
})

const attempts = [0, 1, 2].map((r) => ({ ...bad, r }))
test.each([
  ['an entry for each attempt', attempts, 'pass', 'pass'],
  ['attempts in all', [{ ...bad, r: 3 }], 'pass', 'pass'],
  ['attempts as a list', [{ ...bad, r: [{}, {}, {}] }], 'pass', 'pass'],
  ['a word for success', [{ ...bad, ok: 'failed' }], 'pass', 'pass'],
  ['no count', [{ ...bad, r: 0 }], 'fail', 'pass'],
  ['success all the same', [{ ...bad, ok: true }], 'pass', 'fail'],
])('a log with %s', (_, entries, retries, success) => {
  expect(countsRetries(ofGood(), ofBad(entries)).is).toBe(retries)
  const one = typeof entries[0]?.ok === 'string' ? ofGood([{ ...good, ok: 'delivered' }]) : ofGood()
  expect(distinguishesSuccess(one, ofBad(entries)).is).toBe(success)
})

describe('an entry', () => {
  it.each([
    ['without its event', { ...bad, e: undefined }, 'fail', 'inconclusive'],
    ['with another form of its event name', { ...bad, e: 'WEBHOOK_LEADS_SUBMIT' }, 'pass', 'pass'],
    ['with its time in words', { ...bad, at: new Date(at).toUTCString() }, 'pass', 'inconclusive'],
    ['with the local time', { ...bad, at: '2030-01-02T12:04:05' }, 'pass', 'pass'],
    ['of another day', { ...bad, at: '2029-01-02T03:04:05Z' }, 'fail', 'inconclusive'],
    ['with its time in seconds', { ...bad, at: Date.parse(at) / 1000 }, 'pass', 'pass'],
    ['with its time in milliseconds, as text', { ...bad, at: String(Date.parse(at)) }, 'pass', 'pass'],
  ])('%s', (_, entry, declared, searched) => {
    expect(hasEvent(ofBad([entry]), 'live').is).toBe(declared)
    expect(hasEvent(ofBad([entry], {}), 'live').is).toBe(searched)
  })

  it.each([
    ['as a number', 418, 'pass', 'pass'],
    ['within words', 'HTTP 418', 'pass', 'pass'],
    ['that is another', 200, 'fail', 'inconclusive'],
    ['that is missing', undefined, 'fail', 'inconclusive'],
  ])('with a status %s', (_, s, declared, searched) => {
    expect(hasStatus(ofBad([{ ...bad, s }])).is).toBe(declared)
    expect(hasStatus(ofBad([{ ...bad, s }], {})).is).toBe(searched)
  })

  it.each([
    ['as a number', { t: 12 }, 'pass', 'inconclusive'],
    ['with a unit', { t: '12 ms' }, 'pass', 'inconclusive'],
    ['as a duration', { t: 'PT0.012S' }, 'pass', 'inconclusive'],
    ['under a name that says so', { t: 1, duration_ms: 12 }, 'pass', 'pass'],
    ['that is none', { t: 'fast' }, 'fail', 'inconclusive'],
  ])('with a response time %s', (_, more, declared, searched) => {
    expect(hasResponseTime(ofBad([{ ...bad, ...more }])).is).toBe(declared)
    expect(hasResponseTime(ofBad([{ ...bad, ...more }], {})).is).toBe(searched)
  })
})

describe('the entries', () => {
  it.each([
    ['are there', [bad], arrivedBad, 'pass', 'pass'],
    ['are missing', [], arrivedBad, 'fail', 'inconclusive'],
    ['are looked for before the delivery is over', [], arrivedBad.slice(1), 'inconclusive', 'inconclusive'],
    ['are looked for where nothing arrived', [], [], 'inconclusive', 'inconclusive'],
  ])('%s', (_, entries, arrived, live, test) => {
    const logged = { ...ofBad(entries), arrived }
    expect(hasEntries(logged, 'live').is).toBe(live)
    expect(hasEntries(logged, 'test').is).toBe(test)
  })

  it.each([
    ['the body itself', [bad], 1],
    ['in a member', { logs: [bad, good], next: null }, 2],
    ['deeper', { data: { items: [bad] } }, 1],
    ['an empty list', { logs: [] }, 0],
    ['a list of texts', { logs: ['a'] }, undefined],
    ['nowhere', { count: 2 }, undefined],
  ])('are found: %s', (_, body, count) => {
    expect(entriesOf(jsonAnswer(body), {})?.length).toBe(count)
  })

  it.each([
    [500, 'fail'],
    [404, 'fail'],
    [503, 'inconclusive'],
    [403, 'inconclusive'],
  ])('cannot be had of a log that is answered %i', (status, is) => {
    const logged = { ...ofBad(), log: jsonAnswer({ error: 'no' }, { status }) }
    expect([hasEntries(logged, 'live').is, hasEntries(logged, 'test').is]).toEqual([is, is])
    expect(hasStatus(logged).is).toBe('inconclusive')
  })

  it('make no log where there is no list', () => {
    expect(hasEntries({ ...ofBad(), log: jsonAnswer({ count: 1 }), dialect: {} }, 'live').is).toBe(
      'inconclusive',
    )
    expect(hasEntries({ ...ofBad(), log: jsonAnswer({ count: 1 }) }, 'live').is).toBe('fail')
  })
})

test.each([
  ['a list', '/logs', { logs: [bad] }, [bad]],
  ['an object by id', '/logs', { logs: { a: bad, b: good } }, [bad, good]],
  ['lists by day', '/days/*/logs', { days: { mon: { logs: [bad] }, tue: { logs: [good] } } }, [bad, good]],
  ['the body, by day', '/*', { mon: [bad], tue: [good] }, [bad, good]],
  ['no entries', '/logs', { logs: 3 }, null],
])('declared entries may be %s', (_, entries, body, found) => {
  expect(entriesOf(jsonAnswer(body), { log: { entries } })).toEqual(found)
})

test('a member may stand in each item of a list', () => {
  const entry = { tries: [{ s: 500 }, { s: 418 }] }
  expect(
    declaredLeaves(entry, 'status', { log: { status: '/tries/*/s' } })?.map(({ value }) => value),
  ).toEqual([500, 418])
  expect(declaredLeaves(entry, 'retries', { log: { retries: '/tries' } })?.map(({ value }) => value)).toEqual(
    [2],
  )
  expect(hasStatus(ofBad([{ ...bad, ...entry }], { log: { ...dialect.log, status: '/tries/*/s' } })).is).toBe(
    'pass',
  )
})
