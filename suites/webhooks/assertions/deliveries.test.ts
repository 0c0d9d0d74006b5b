import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../wire/exchange.ts'
import {
  attemptsIn,
  arrivedAt,
  deliveriesIn,
  eventNameOf,
  isAnotherEvent,
  isTestDelivery,
  occurrencesIn,
  overAt,
  deliveredJson,
  took2xx,
} from './deliveries.ts'
import { attempt, sample, type MadeAttempt } from '../../assertions/inbound.testkit.ts'

const on = (at: number, more: MadeAttempt = {}): Exchange => attempt({ at, ...more })
const other = { ...sample, payload: { conversationId: 'd' } }
const times = (groups: readonly (readonly Exchange[])[]) => groups.map((group) => group.map(arrivedAt))

describe('what came to a place', () => {
  const plain = {
    ...attempt({ method: 'GET' }),
    request: { ...attempt().request, method: 'GET', headers: [] },
  }
  const bare = { ...plain, request: { ...plain.request, method: 'POST' } }

  test('is an attempt where it posts, or speaks of the service', () => {
    const named = attempt({ method: 'GET' })
    expect(attemptsIn([plain, bare, named])).toEqual([bare, named])
  })

  test('stands in the order in which it came, by the clock of the target or by ours', () => {
    expect(attemptsIn([on(9), on(2), on(5)]).map(arrivedAt)).toEqual([2, 5, 9])
    const { inbound: _, ...ours } = { ...on(3), sentAt: 7, endedAt: 9 }
    expect([arrivedAt(ours), overAt(ours)]).toEqual([7, 9])
    expect(overAt({ ...on(3), sentAt: 7, endedAt: 9 })).toBe(4)
    expect(overAt({ ...on(3, { took: 8 }), sentAt: 70, endedAt: 90 })).toBe(11)
  })

  test('is put together by place and id', () => {
    const came = [
      on(1),
      on(2, { id: 'b' }),
      on(3, { place: '/b' }),
      on(4),
      on(5, { id: null }),
      on(6, { id: null }),
    ]
    expect(times(deliveriesIn(came))).toEqual([[1, 4], [2], [3], [5], [6]])
  })

  test('is put together by its event too, where one event happened', () => {
    const came = [
      on(1),
      on(2, { id: 'b', body: { ...sample, timestamp: 'later' } }),
      on(3, { id: 'c', body: other }),
      on(4, { id: 'd', place: '/b' }),
      on(5, { id: 'test_e' }),
      on(6, { id: 'f', body: '[]' }),
      on(7, { id: 'g', body: '[]' }),
      on(8, { body: '[]' }),
    ]
    expect(times(occurrencesIn(came))).toEqual([[1, 2, 8], [3], [4], [5], [6], [7]])
  })
})

test.for([
  [null, false],
  [199, false],
  [200, true],
  [299, true],
  [300, false],
] as const)('an attempt that we answered %j was taken: %j', ([status, expected]) => {
  expect(took2xx(attempt({ status }))).toBe(expected)
})

describe('a delivery', () => {
  test('says its event in its body, or else in its header', () => {
    expect(eventNameOf(attempt({ event: 'in.header' }))).toBe('leads.submit')
    expect(eventNameOf(attempt({ event: 'in.header', body: { eventType: 7 } }))).toBe('in.header')
    expect(eventNameOf(attempt({ body: 'no', without: ['x-service-event'] }))).toBeNull()
  })

  test('is a test by its id', () => {
    const ids = ['test_1', 'whd_test_1', null]
    expect(ids.map((id) => isTestDelivery(attempt({ id })))).toEqual([true, false, false])
  })

  test.for([
    ['the same at another time', sample, { ...sample, timestamp: 'later' }, false],
    ['another payload', sample, other, true],
    ['another agent', sample, { ...sample, chatbotId: 'b' }, true],
    ['another type', sample, { ...sample, eventType: 'b' }, true],
    ['nothing that can be read', sample, '[]', false],
    ['anything beside what cannot be read', '[]', sample, false],
  ] as const)('is about another event, or not: %s', ([, one, two, expected]) => {
    expect(isAnotherEvent(attempt({ body: one }), attempt({ body: two }))).toBe(expected)
  })

  test('is read as JSON, where all of it is UTF-8 and was kept', () => {
    const sent = attempt()
    const latin = { ...sent, request: { ...sent.request, body: Buffer.from('"\xff"', 'latin1') } }
    const cut = {
      ...attempt(),
      inbound: { place: '/place', targetAt: 0, targetEndedAt: 1, cut: true as const },
    }
    expect(deliveredJson(sent)).toEqual({ ok: true, value: sample })
    expect(deliveredJson(latin)).toEqual({ ok: false, why: 'it is not UTF-8' })
    expect(deliveredJson(cut)).toEqual({ ok: false, why: 'it is larger than we keep' })
  })
})
