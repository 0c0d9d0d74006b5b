import { describe, expect, it, test } from 'vitest'
import { jsonAnswer } from '../../../assertions/exchange.testkit.ts'
import {
  createdWebhook,
  createdInUtc,
  isUnlisted,
  isListed,
  leftNothing,
  listedAs,
  notSelected,
  sameBut,
  sameEvents,
  sameUrl,
  showsWith,
} from './webhook-record.ts'

const sent = {
  name: 'Orders',
  endpoint_url: 'https://example.com/hooks',
  events: ['order.confirmed', 'payment.verified'],
  description: 'What was ordered',
  custom_headers: { 'X-Shop': 'one' },
}
const listedMembers = { ...sent, id: 'wh_1', is_active: true, created_at: '2030-01-02T03:04:05Z' }

const creation = (body: unknown = { id: 'wh_1', secret_key: 'whsec_1234567890' }, request: unknown = sent) =>
  jsonAnswer(body, { status: 201, request })
const listOf = (...webhooks: readonly unknown[]) => jsonAnswer({ webhooks })
const list = (change: object = {}) => listOf({ ...listedMembers, ...change })

describe('a creation', () => {
  it.each([
    ['id and secret', { id: 'wh_1', secret_key: 's' }, 'pass'],
    ['no secret', { id: 'wh_1' }, 'fail'],
    ['an empty secret', { id: 'wh_1', secret_key: '' }, 'fail'],
    ['a number for an id', { id: 1, secret_key: 's' }, 'fail'],
    ['a list', [], 'fail'],
  ])('with %s is %o', (_, body, expected) => {
    expect(createdWebhook(creation(body)).is).toBe(expected)
  })
})

describe('a webhook in the list', () => {
  it.each([
    ['as it was sent', {}, 'pass'],
    ['with its events in another order', { events: sent.events.toReversed() }, 'pass'],
    [
      'with its endpoint as a URL parser writes it',
      { endpoint_url: 'https://EXAMPLE.com:443/hooks' },
      'pass',
    ],
    ['with its headers in small letters and masked', { custom_headers: { 'x-shop': '***' } }, 'pass'],
    ['with further members', { retries: 3 }, 'pass'],
    ['with another name', { name: 'orders' }, 'fail'],
    ['without an event', { events: ['order.confirmed'] }, 'fail'],
    ['without its description', { description: null }, 'fail'],
    ['without its headers', { custom_headers: {} }, 'fail'],
    ['under another id', { id: 'wh_2' }, 'fail'],
  ])('%s is %o', (_, change, expected) => {
    expect(listedAs(list(change), creation()).is).toBe(expected)
  })

  it('is asked for those members only that are the point', () => {
    expect(listedAs(list({ description: null }), creation(), ['name']).is).toBe('pass')
    expect(listedAs(list({ name: 'Bookings' }), creation(), ['name']).is).toBe('fail')
  })

  it.each([
    ['the name alone', { name: 'Bookings' }, 'pass'],
    ['nothing at all', {}, 'pass'],
    ['the order of its events too', { events: sent.events.toReversed() }, 'pass'],
    ['its events too', { events: ['record.created'] }, 'fail'],
    ['its headers too', { custom_headers: {} }, 'fail'],
    ['whether it is on', { is_active: false }, 'fail'],
  ])('that was changed in %s is %s', (_, change, expected) => {
    expect(sameBut('name', creation(), { before: list(), after: list(change), updates: [] }).is).toBe(
      expected,
    )
  })

  it.each([
    ['2030-01-02T03:04:05.678Z', 'pass'],
    ['2030-01-02T03:04:05+00:00', 'pass'],
    ['2030-01-02T03:04:05+02:00', 'fail'],
    ['2030-01-02 03:04', 'fail'],
    [1893553445, 'fail'],
    [undefined, 'fail'],
  ])('with created_at %s is %s', (created_at, expected) => {
    expect(createdInUtc(list({ created_at }), creation()).is).toBe(expected)
  })
})

describe('a webhook that must not be there', () => {
  const other = creation({ id: 'wh_2', secret_key: 's' }, { ...sent, name: 'Other' })
  const refused = jsonAnswer({ error: 'no' }, { status: 400, request: sent })

  it.each([
    ['is gone', [{ id: 'wh_2', name: 'Other' }], 'pass'],
    ['is still there', [{ id: 'wh_2', name: 'Other' }, listedMembers], 'fail'],
    ['is no more there than the one that has to be', [], 'inconclusive'],
  ])('%s: %#', (_, webhooks, expected) => {
    expect(isUnlisted(listOf(...webhooks), creation(), other).is).toBe(expected)
    expect(leftNothing(listOf(...webhooks), refused, other).is).toBe(expected)
  })

  it('is seen only in a list that is one', () => {
    expect(isListed(jsonAnswer([listedMembers]), creation()).is).toBe('inconclusive')
  })
})

describe('an event that cannot be selected', () => {
  const known = creation()
  const bad = (status: number) =>
    jsonAnswer({ id: 'wh_2', secret_key: 's' }, { status, request: { ...sent, name: 'Bad' } })
  const entry = (...events: string[]) => ({ id: 'wh_2', name: 'Bad', events })

  it.each([
    ['refused', jsonAnswer({}, { status: 422, request: { name: 'Bad' } }), [], 'pass'],
    [
      'refused and there all the same',
      jsonAnswer({}, { status: 422, request: { name: 'Bad' } }),
      [entry('no.such')],
      'fail',
    ],
    ['taken without the event', bad(201), [entry()], 'pass'],
    ['taken with the event', bad(201), [entry('no.such')], 'fail'],
    ['taken and not listed', bad(201), [], 'inconclusive'],
  ])('%s', (_, creationOfBad, more, expected) => {
    expect(notSelected(creationOfBad, 'no.such', listOf(listedMembers, ...more), known).is).toBe(expected)
  })
})

test.each([
  ['https://example.com', 'https://example.com/', true],
  ['HTTPS://Example.com:443/a', 'https://example.com/a', true],
  ['https://example.com/a', 'https://example.com/b', false],
  ['no url', 'no url', true],
  ['https://example.com', undefined, false],
])('%s and %s are the same address: %o', (one, other, expected) => {
  expect(sameUrl(one, other)).toBe(expected)
})

test('events are the same in any order and number, and only as lists', () => {
  expect(sameEvents(['a', 'b'], ['b', 'a', 'a'])).toBe(true)
  expect(sameEvents(['a', 'b'], ['a'])).toBe(false)
  expect(sameEvents('a', 'a')).toBe(false)
})

describe('a list that is one page of several', () => {
  const other = creation({ id: 'wh_9', secret_key: 'whsec_9' }, { ...sent, name: 'Others' })
  const page = (more: object) => jsonAnswer({ webhooks: [listedMembers], ...more })
  it.each([
    ['has more', { has_more: true }, 'inconclusive'],
    ['has a cursor', { nextCursor: 'c2' }, 'inconclusive'],
    ['has fewer than there are', { pagination: { total: 12, page: 1 } }, 'inconclusive'],
    ['says that there is no more', { has_more: false, next_cursor: null, total: 1 }, 'fail'],
    ['says nothing', {}, 'fail'],
  ])('when it %s, what it does not show is %o', (_, more, expected) => {
    expect(isListed(page(more), other).is).toBe(expected)
    const absent = expected === 'fail' ? 'pass' : expected
    expect(isUnlisted(page(more), other, creation()).is).toBe(absent)
    expect(leftNothing(page(more), other, creation()).is).toBe(absent)
  })
})

test.for([
  [{ name: 'Orders' }, true],
  [{ name: 'Others' }, false],
  [{ events: sent.events.toReversed(), is_active: true }, true],
  [{ is_active: false }, false],
] as const)('a list shows %o: %o', ([members, expected]) => {
  expect(showsWith(list(), 'wh_1', members)).toBe(expected)
  expect(showsWith(list(), 'wh_2', members)).toBe(false)
})
