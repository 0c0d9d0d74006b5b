import { expect, test } from 'vitest'
import { jsonAnswer } from './exchange.testkit.ts'
import { saysMore } from './page.ts'

const rows = [{ id: 'a' }]
const link = '</api/v1/operations?page=2>; rel="next"'

test.for<[string, unknown, boolean]>([
  ['has a cursor', { rows, next_cursor: 'c' }, true],
  ['has a cursor below its top', { rows, pagination: { nextCursor: 'c' } }, true],
  ['says that there is more', { rows, has_more: true }, true],
  ['counts more than it shows', { rows, total: 2 }, true],
  ['says that there is a next page', { rows, hasNext: true }, true],
  ['says that there is no next page', { rows, has_next: false }, false],
  ['numbers the next page', { rows, next_page: 2 }, true],
  ['names the next page', { rows, 'next-page': 'p2' }, true],
  ['has no next page', { rows, nextPage: null }, false],
  ['has a next page without a name', { rows, nextPage: '' }, false],
  ['counts more in all than it shows', { rows, totalCount: 2 }, true],
  ['counts in all what it shows', { rows, total_count: 1 }, false],
  ['counts several pages', { rows, page: 1, total_pages: 2 }, true],
  ['counts one page', { rows, page: 1, total_pages: 1 }, false],
  ['counts in words', { rows, total_count: '2' }, false],
  ['is at its end', { rows, next_cursor: null, has_more: false, total: 1 }, false],
  ['says nothing', { rows }, false],
  ['is bare', rows, false],
])('a list that %s', ([, body, more]) => {
  expect(saysMore(jsonAnswer(body), 1)).toBe(more)
})

test('a bare list may link to the next page', () => {
  expect(saysMore(jsonAnswer(rows, { headers: [['Link', link]] }), 1)).toBe(true)
  expect(saysMore(jsonAnswer({ constructor: 1 }, { headers: [['__proto__', 'x']] }), 1)).toBe(false)
  expect(saysMore(jsonAnswer(rows, { headers: [['Link', '</>; rel="prev"']] }), 1)).toBe(false)
})

test.for([
  ['X-Total-Count', '2', true],
  ['x-total-count', '1', false],
  ['Content-Range', 'items 0-0/2', true],
  ['Content-Range', 'items 0-0/*', false],
] as const)('a list may be counted in a header: %s: %s', ([name, value, more]) => {
  expect(saysMore(jsonAnswer(rows, { headers: [[name, value]] }), 1)).toBe(more)
})
