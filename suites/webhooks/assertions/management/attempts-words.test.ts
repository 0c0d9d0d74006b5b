import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../wire/exchange.ts'
import {
  cameOnceReachable,
  endedBy,
  endedBySuccess,
  nextAfter,
  noFourth,
  orderSeen,
  redirects,
  sameIds,
  samplesRetried,
  unlessFollowed,
  waitsBetween,
  waitsSeen,
} from './attempts.ts'
import { deliveriesIn } from '../deliveries.ts'
import { attempt, sample, type MadeAttempt } from '../../../assertions/inbound.testkit.ts'

/** Attempts of one delivery at these times with these responses; each delivery has its own event. */
const tries = (
  id: string,
  answers: readonly (readonly [at: number, status: number | null])[],
  more: MadeAttempt = {},
) => answers.map(([at, status]) => attempt({ id, at, status, body: { ...sample, payload: { id } }, ...more }))
const failing = (id: string, times: number, step = 100) =>
  tries(
    id,
    Array.from({ length: times }, (_, nth) => [nth * step, 500] as const),
  )
const taken = (id: string, ...statuses: readonly number[]) =>
  tries(
    id,
    statuses.map((status, nth) => [nth * 100, status] as const),
  )
const came = (...groups: readonly (readonly Exchange[])[]): readonly Exchange[] => groups.flat()

describe('what is found of attempts is said in full', () => {
  test.for<readonly [() => object, object]>([
    [() => endedBySuccess([]), { because: 'no delivery was answered with a success' }],
    [
      () => endedBySuccess(deliveriesIn(taken('a', 200, 200))),
      { is: 'pass', note: '1 of 1 deliveries came again' },
    ],
    [
      () => endedBySuccess(deliveriesIn(came(taken('a', 200, 200), taken('b', 200)))),
      { is: 'pass', note: '1 of 2 deliveries came again' },
    ],
    [
      () => endedBySuccess(deliveriesIn(came(taken('a', 200, 200), taken('b', 200, 200)))),
      { is: 'warn', expected: 'no further attempt after a success' },
    ],
    [
      () => endedBySuccess(deliveriesIn(came(taken('a', 200, 200, 200), taken('b', 200, 200)))),
      { is: 'warn' },
    ],
    [
      () => endedBySuccess(deliveriesIn(came(taken('a', 200, 200, 200), taken('b', 200, 200, 200)))),
      { is: 'warn', got: '2 of 2 deliveries came again' },
    ],
    [
      () => endedBy(came(taken('a', 201, 200, 200), taken('b', 201, 200, 200), taken('c', 200)), [200, 201]),
      { is: 'warn', expected: 'no further attempt after 201' },
    ],
    [() => nextAfter(taken('a', 200), 1), { because: 'no delivery came to a first failure' }],
    [() => nextAfter(failing('a', 1), 2), { because: 'no delivery came to a second failure' }],
    [
      () => nextAfter(failing('a', 1), 1),
      {
        is: 'fail',
        expected: 'a second attempt after 500',
        got: 'none for as long as a delivery is waited for',
      },
    ],
    [() => nextAfter(tries('a', [[0, null]]), 1), { expected: 'a second attempt after no answer' }],
    [
      () => nextAfter(came(failing('a', 1), taken('b', 200)), 1),
      { because: 'other deliveries came in between, and the scenario did not wait longer' },
    ],
    [() => nextAfter(came(failing('a', 1), tries('b', [[0, 200]], { place: '/b' })), 1), { is: 'fail' }],
    [() => nextAfter(taken('a', 500, 200), 2), { is: 'inconclusive' }],
    [() => noFourth(failing('a', 2), []), { because: 'no delivery came to a third failure' }],
    [
      () => noFourth(failing('a', 3), []),
      { because: 'nothing reached the receiver afterwards, so silence is inconclusive' },
    ],
    [() => noFourth(failing('a', 3), taken('b', 200)), { is: 'pass' }],
    [
      () => noFourth(failing('a', 5), []),
      { is: 'fail', expected: 'three attempts at most', got: '1 of 1 deliveries were tried 5 times' },
    ],
    [
      () => noFourth(came(failing('a', 3), failing('b', 4)), []),
      { is: 'warn', expected: 'three attempts at most', got: '1 of 2 deliveries were tried 4 times' },
    ],
    [() => sameIds(taken('a', 200, 200)), { because: 'no delivery was tried again after a failure' }],
    [
      () =>
        sameIds([...failing('a', 1), attempt({ id: 'b', at: 9, body: { ...sample, payload: { id: 'a' } } })]),
      { is: 'fail', expected: 'the same id at every attempt', got: 'a, b' },
    ],
    [() => sameIds(failing('a', 2)), { is: 'pass' }],
    [
      () =>
        sameIds([
          ...taken('a', 500, 200),
          attempt({ id: 'b', at: 900, body: { ...sample, payload: { id: 'a' } } }),
        ]),
      { is: 'pass' },
    ],
    [() => waitsBetween(failing('a', 2, 52)), { is: 'pass' }],
    [
      () => waitsBetween(failing('a', 2, 51)),
      { is: 'fail', expected: 'some time between a failure and the next attempt', got: '50 ms' },
    ],
    [
      () =>
        waitsBetween(
          tries('a', [
            [0, 500],
            [40, 500],
            [900, 200],
          ]),
        ),
      { is: 'warn', got: '39 ms' },
    ],
    [
      () =>
        waitsBetween(
          tries('a', [
            [0, null],
            [40, 500],
          ]),
        ),
      { because: 'no attempt followed a failure that was answered' },
    ],
    [
      () =>
        waitsSeen(
          tries('a', [
            [0, 500],
            [1001, 500],
            [3002, 200],
            [3003, 200],
          ]),
        ),
      { value: '1 s, then 2 s' },
    ],
    [
      () =>
        waitsSeen(
          tries('a', [
            [0, null],
            [40, 500],
          ]),
        ),
      { because: 'no wait was seen' },
    ],
    [() => cameOnceReachable(taken('a', 200), []), { is: 'pass' }],
    [
      () => cameOnceReachable([], taken('a', 200)),
      { is: 'fail', expected: 'another attempt once the endpoint could be reached', got: 'none' },
    ],
    [() => cameOnceReachable([], []), { is: 'inconclusive' }],
    [() => unlessFollowed(failing('a', 1), taken('a', 200)), { is: 'pass' }],
    [() => unlessFollowed(failing('a', 1), []), { is: 'fail' }],
    [
      () =>
        redirects({
          301: [came(failing('a', 2), taken('b', 200)), []],
          307: [
            failing('c', 1),
            [attempt({ method: 'POST' }), attempt({ method: 'GET' }), attempt({ method: 'GET' })],
          ],
        }),
      { value: '301: not followed, tried again; 307: followed with GET and POST, not tried again' },
    ],
    [
      () => samplesRetried(came(failing('a', 3), taken('b', 200))),
      { value: 'a failing test was tried 3 times' },
    ],
    [() => samplesRetried(failing('a', 1)), { value: 'a failing test was tried once' }],
    [() => orderSeen(taken('a', 200)), { because: 'fewer than two times to compare' }],
    [
      () =>
        orderSeen([
          attempt({ id: 'a', at: 1 }),
          attempt({ id: 'b', at: 2 }),
          attempt({ id: 'c', at: 3, body: { ...sample, timestamp: '2031' } }),
        ]),
      { value: 'in the order of their events' },
    ],
    [
      () =>
        orderSeen([
          attempt({ id: 'a', at: 1 }),
          attempt({ id: 'b', at: 2, body: { ...sample, timestamp: '2029' } }),
        ]),
      { value: 'in another order than their events' },
    ],
  ])('finding %#', ([judge, expected]) => {
    expect(judge()).toMatchObject(expected)
  })
})
