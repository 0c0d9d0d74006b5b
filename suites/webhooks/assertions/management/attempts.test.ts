import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../wire/exchange.ts'
import {
  bodiesSeen,
  cameAtOnce,
  cameOnceReachable,
  endedBy,
  endedBySuccess,
  endedLate,
  nextAfter,
  noFourth,
  orderSeen,
  redirects,
  sameIds,
  samplesRetried,
  waitsBetween,
  waitsSeen,
} from './attempts.ts'
import { deliveriesIn } from '../deliveries.ts'
import { attempt, sample, type MadeAttempt } from '../../../assertions/inbound.testkit.ts'

/** Attempts of one delivery, ten seconds apart unless `at` is given. */
const tried = (made: MadeAttempt, ...statuses: readonly (number | null)[]): readonly Exchange[] =>
  statuses.map((status, at) => attempt({ at: at * 10_000, status, ...made }))
const first = { id: 'whd_1', place: '/a' }
const second = { id: 'whd_2', place: '/a' }
const third = { id: 'whd_3', place: '/b' }
const other = { ...sample, payload: { conversationId: 'another' } }

describe('after a success', () => {
  test.for([
    ['nothing comes', [tried(first, 200), tried(second, 200)], 'pass'],
    [
      'one of three deliveries comes again',
      [tried(first, 200, 200), tried(second, 200), tried(third, 200)],
      'pass',
    ],
    [
      'one delivery to each of three endpoints comes again',
      ['/a', '/b', '/c'].map((place) => tried({ id: `whd_${place}`, place }, 200, 200)),
      'pass',
    ],
    ['one of two to an endpoint comes again', [tried(first, 200, 200), tried(second, 200)], 'pass'],
    ['both of two to an endpoint come again', [tried(first, 200, 200), tried(second, 200, 200)], 'warn'],
    [
      'both to one of two endpoints come again',
      [tried(first, 200, 200), tried(second, 200, 200), tried(third, 200)],
      'warn',
    ],
    ['the one delivery comes again', [tried(first, 200, 200)], 'pass'],
    ['a delivery was never answered with one', [tried(first, 500, 500)], 'inconclusive'],
  ] as const)('%s', ([, came, expected]) => {
    expect(endedBySuccess(deliveriesIn(came.flat())).is).toBe(expected)
  })

  test('another event under the same id is no further attempt', () => {
    const again = attempt({ ...first, at: 10_000, body: other })
    expect(endedBySuccess(deliveriesIn([...tried(first, 200), again])).is).toBe('pass')
  })

  test('one status that is not known among others that are is found', () => {
    const fine = [tried(first, 201), tried(second, 201)].flat()
    expect(endedBy(fine, [201]).is).toBe('pass')
    const place = '/c'
    const bad = [
      tried({ id: 'whd_5', place }, 299, 299, 299),
      tried({ id: 'whd_6', place }, 299, 299, 299),
    ].flat()
    expect(endedBy([...fine, ...bad], [201, 299])).toMatchObject({
      is: 'warn',
      expected: expect.stringContaining('299'),
    })
    expect(endedBy(fine, [201, 204]).is).toBe('inconclusive')
  })

  test('at the second attempt no third one comes', () => {
    expect(endedLate([...tried(first, 500, 200), ...tried(third, 500, 200)]).is).toBe('pass')
    const again = [first, second, third].flatMap((one) => tried(one, 500, 200, 200))
    expect(endedLate(again).is).toBe('warn')
    expect(endedLate(tried(first, 200)).is).toBe('inconclusive')
  })
})

describe('after a failure', () => {
  test.for([
    ['a second attempt comes', 1, tried(first, 500, 200), 'pass'],
    ['no second attempt comes', 1, tried(first, 500), 'fail'],
    [
      'another event took the place of the second attempt',
      1,
      [...tried(first, 500), attempt({ ...second, at: 5, body: other })],
      'inconclusive',
    ],
    ['the second attempt has another id', 1, [...tried(first, 500), attempt({ ...second, at: 5 })], 'pass'],
    ['nothing came at all', 1, [], 'inconclusive'],
    ['there was none', 1, tried(first, 200), 'inconclusive'],
    ['of two, no third attempt comes', 2, tried(first, 500, 500), 'fail'],
    ['of two, a third attempt comes', 2, tried(first, 500, null, 200), 'pass'],
  ] as const)('%s', ([, failures, came, expected]) => {
    expect(nextAfter(came, failures).is).toBe(expected)
  })

  const exhausted = [...tried(first, 500, 500, 500), ...tried(third, 500, 500, 500)]
  const control = [attempt({ place: '/c' })]
  test.for([
    ['three attempts and then silence', exhausted, control, 'pass'],
    ['silence that may be for want of a way', exhausted, [], 'inconclusive'],
    [
      'four attempts each',
      [...tried(first, 500, 500, 500, 500), ...tried(third, 500, 500, 500, 500)],
      control,
      'fail',
    ],
    [
      'a fourth attempt of one of two',
      [...tried(first, 500, 500, 500, 500), ...tried(third, 500, 500, 500)],
      control,
      'warn',
    ],
    ['two attempts', tried(first, 500, 500), control, 'inconclusive'],
  ] as const)('there are %s', ([, came, beside, expected]) => {
    expect(noFourth(came, beside).is).toBe(expected)
  })

  test.for([
    ['the same id', tried(first, 500, 500, 200), 'pass'],
    ['another id', [...tried(first, 500), attempt({ ...second, at: 9 })], 'fail'],
    [
      'another id and another time',
      [...tried(first, 500), attempt({ ...second, at: 9, body: { ...sample, timestamp: 'later' } })],
      'fail',
    ],
    ['no id', [...tried(first, 500), attempt({ place: '/a', id: null, at: 9 })], 'inconclusive'],
    ['nothing', tried(first, 500), 'inconclusive'],
  ] as const)('the next attempt carries %s', ([, came, expected]) => {
    expect(sameIds(came).is).toBe(expected)
  })

  const at = (...times: readonly number[]): readonly Exchange[] =>
    times.map((one) => attempt({ ...first, at: one, took: 5, status: 500 }))
  test.for([
    ['two seconds', at(0, 2_005), 'pass'],
    ['no time', at(0, 6, 12), 'fail'],
    ['less than none: they overlap', at(0, 3), 'fail'],
    ['some time once and none another time', at(0, 2_005, 2_011), 'warn'],
  ] as const)('%s passes before the next attempt', ([, came, expected]) => {
    expect(waitsBetween(came).is).toBe(expected)
  })

  test('waits and bodies are only recorded', () => {
    expect(waitsSeen(at(0, 2_005, 6_010))).toMatchObject({ is: 'observed', value: '2 s, then 4 s' })
    expect(bodiesSeen(at(0, 2_005))).toMatchObject({ value: 'all attempts send the same bytes' })
    const moved = attempt({ ...first, at: 9, body: { ...sample, timestamp: 'later' } })
    expect(bodiesSeen([...tried(first, 500), moved])).toMatchObject({
      value: 'the timestamp moves on with the attempt',
    })
  })
})

test.for([
  [5, 'pass'],
  [15, 'warn'],
  [0, 'fail'],
] as const)('a first attempt within %i seconds', ([within, expected]) => {
  expect(cameAtOnce([attempt()], within).is).toBe(expected)
  expect(cameAtOnce([], within).is).toBe('inconclusive')
})

test('an endpoint that can be reached again gets the delivery, as far as a control shows that there was one', () => {
  expect(cameOnceReachable([attempt()], []).is).toBe('pass')
  expect(cameOnceReachable([], [attempt()]).is).toBe('fail')
  expect(cameOnceReachable([], []).is).toBe('inconclusive')
})

test('unspecified behaviour is recorded and not judged', () => {
  const moved = attempt({ ...first, status: 301 })
  expect(redirects({ '301': [[moved], []] })).toMatchObject({ value: '301: not followed, not tried again' })
  const followed = attempt({ place: '/b', method: 'GET' })
  expect(redirects({ '301': [[moved], [followed]] })).toMatchObject({
    value: '301: followed with GET, not tried again',
  })
  expect(samplesRetried(tried({ id: 'test_1' }, 500, 500, 500))).toMatchObject({
    value: 'a failing test was tried 3 times',
  })
  const later = attempt({ ...second, at: 5, body: { ...other, timestamp: '2030-01-02T03:04:04Z' } })
  expect(orderSeen([...tried(first, 200), later])).toMatchObject({
    value: 'in another order than their events',
  })
})
