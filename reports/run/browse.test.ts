/** Pages of a recorded run: each leads to the next. */
import { describe, expect, test } from 'vitest'
import { everyVerdict, exchange, finding, runOf } from '../testing/run.testkit.ts'
import { browsedPage } from './browse.ts'

const stream = {
  status: 200,
  headers: [['content-type', 'text/event-stream']],
  at: 15,
  chunks: [{ at: 16, bytes: new TextEncoder().encode('data: {"type":"done"}\n\n') }],
  complete: false,
} as const

/** Whatever a target may say is `text`. */
function pagesOf(text: string, times = 2) {
  const failed = finding({ verdict: 'fail', got: text, evidence: [1, 2] })
  const journal = [
    exchange(1, { came: text, name: text }),
    exchange(2, { response: stream, failure: { kind: 'reset', message: text } }),
    ...Array.from({ length: times - 2 }, (_, at) => exchange(at + 3)),
  ]
  const run = runOf([...everyVerdict().filter(({ verdict }) => verdict !== 'fail'), failed], {}, journal)
  return (view: string, query = '') =>
    browsedPage({ run, beside: { files: new Set() } }, view, new URLSearchParams(query)) ?? 'none'
}

const check = 'id=idempotency/replay-fail/IDEM-REPLAY-HEADER'
const words = (page: string): string =>
  page.replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ').replaceAll(/\s+/g, ' ')

describe('a list', () => {
  const page = pagesOf('one <two>', 1_200)

  test.for<[string, string, string]>([
    ['checks', 'verdict=fail', '1 to 1 of 1 check'],
    ['checks', 'text=ONE%20%3Ctwo', '1 to 6 of 6 checks'],
    ['checks', 'clause=gap-', '1 to 1 of 1 check'],
    ['checks', 'area=chat', 'No check matches these filters.'],
    ['exchanges', 'text=ONE%20', '1 to 1 of 1 exchange'],
    ['exchanges', 'status=2&from=1000', '1001 to 1200 of 1200 exchanges'],
    ['exchanges', 'scenario=nowhere', 'No exchange matches these filters.'],
  ])('of %s with %s has %s', ([view, query, says]) => {
    expect(words(page(view, query))).toContain(says)
  })

  test('has some hundred rows, and leads to the next ones', () => {
    const { length } = page('exchanges', 'status=2').match(/<tr/g) ?? []
    expect(length).toBe(501)
    expect(page('exchanges', 'status=2')).toContain('href="./exchanges?status=2&amp;from=500"')
  })
})

test('a check leads to its exchanges, and an exchange to its bytes and its checks', () => {
  const page = pagesOf('plain')
  expect(page('check', check)).toContain('href="./exchange?id=2"')
  expect(page('exchange', 'id=2&as=hex')).toMatch(
    /part 1 · \+-?\d+ ms · 23 B ──\n000000 {2}64 61 74 61 3a 20 7b 22/,
  )
  expect(words(page('exchange', 'id=2'))).toContain('Note. reset: plain')
  expect(page('exchange', 'id=1')).toContain('<a href="./check?id=idempotency%2Freplay-fail')
  expect(page('', '')).toContain('<a href="./checks">Checks</a>')
})
