/** The arithmetic of the benchmarks, and that their page matches the results. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createResponseReader } from '../bench/processes/response-reader.ts'
import { rowOf, spreadOf, withGoal, type BenchRow } from '../bench/figures.ts'
import { interleave } from '../bench/measure.ts'
import { pageOf } from '../bench/page.ts'
import { plot } from '../bench/plot.ts'
import { regressions } from '../bench/regressions.ts'
import { merged, parseResults, readResults } from '../bench/results.ts'

test.for([
  [[3], { low: 3, median: 3, high: 3 }],
  [[4, 1], { low: 1.75, median: 2.5, high: 3.25 }],
  [[5, 1, 4, 2, 3], { low: 2, median: 3, high: 4 }],
] as const)('the quartiles of %j are interpolated', ([values, spread]) => {
  expect(spreadOf(values)).toEqual(spread)
})

test('a median of no values throws', () => {
  expect(() => spreadOf([])).toThrow('measure at least once')
})

test('every side is measured once per round, after a warm-up round', async () => {
  const order: string[] = []
  const side = (name: string) => ({ name, once: async () => order.push(name) })
  const [ours, theirs] = await interleave([side('a'), side('b')], 2)

  expect(order.join('')).toBe('ababba')
  expect([ours.values, theirs.values]).toEqual([
    [3, 6],
    [4, 5],
  ])
})

const question = { id: 'turns/bare', what: 'turns', unit: 'turns/s' } as const
const series = (...values: number[]) => ({ name: 'one', values })

describe('a goal is reached', () => {
  test.for([
    ['by a ratio that is high enough', 'higher', 'ratio', 0.5, true],
    ['not by one that is too low', 'higher', 'ratio', 0.51, false],
    ['by a ratio that is low enough', 'lower', 'ratio', 0.5, true],
    ['not by one that is too high', 'lower', 'ratio', 0.49, false],
    ['by our own figure', 'lower', 'ours', 200, true],
  ] as const)('%s', ([, better, of, value, reached]) => {
    const row = rowOf({ ...question, better }, series(100, 200), series(200, 400))
    expect(row.ratio).toMatchObject({ median: 0.5 })
    expect(withGoal(row, { of, value })).toMatchObject({ reached, goal: { of, value } })
  })

  test('neither reached nor missed without a goal', () => {
    expect(rowOf({ ...question, better: 'lower' }, series(1))).toMatchObject({ reached: null, ratio: null })
  })
})

test('two sides that were not measured equally often throw', () => {
  expect(() => rowOf({ ...question, better: 'lower' }, series(1, 2), series(1))).toThrow('in the same rounds')
})

describe('a regression', () => {
  const measured = (
    better: BenchRow['better'],
    ours: readonly number[],
    theirs?: readonly number[],
  ): BenchRow => rowOf({ ...question, better }, series(...ours), theirs && series(...theirs))
  const ten = Array.from({ length: 4 }, () => 10)

  test.for([
    ['a rate that fell', 'higher', [7, 8, 9, 7], true],
    ['a rate that rose', 'higher', [20, 21, 22, 20], false],
    ['a time that rose', 'lower', [20, 21, 22, 20], true],
    ['a time that fell', 'lower', [7, 8, 9, 7], false],
    ['a rate that fell by less than a tenth', 'higher', [9.5, 9.4, 9.5, 9.6], false],
    ['a rate whose quartiles overlap', 'higher', [5, 6, 12, 13], false],
  ] as const)('%s', ([, better, ours, worse]) => {
    expect(regressions([measured(better, ten)], [measured(better, ours)], true)).toHaveLength(worse ? 1 : 0)
  })

  test('compares the ratio if there is one, on any machine', () => {
    const before = measured('higher', ten, ten)
    const slower = measured('higher', [5, 5, 5, 5], [5, 5, 5, 5])
    const worse = measured('higher', ten, [20, 20, 20, 20])
    expect(regressions([before], [slower], true)).toEqual([])
    expect(regressions([before], [worse], false)).toMatchObject([{ of: 'ratio', id: 'turns/bare' }])
  })

  test('is ignored within the tolerance', () => {
    const [before, now] = [measured('higher', ten, ten), measured('higher', [8, 8], [10, 10])]
    expect(regressions([before], [now], false, 0.25)).toEqual([])
    expect(regressions([before], [now], false, 0.15)).toHaveLength(1)
  })

  test('counts only if it shows beside every peer', () => {
    const beside = (peer: string, theirs: readonly number[]) => ({
      ...measured('higher', ten, theirs),
      id: `turns/${peer}`,
    })
    const now = (theirs: readonly number[]) => [beside('bare', [20, 20, 20, 20]), beside('prism', theirs)]
    const before = [beside('bare', ten), beside('prism', ten)]
    expect(regressions(before, now(ten), false)).toEqual([])
    expect(regressions(before, now([30, 30, 30, 30]), false)).toHaveLength(2)
  })

  test('ignores absolute figures of another machine and new rows', () => {
    const [before, now] = [measured('lower', ten), measured('lower', [20, 20])]
    expect(regressions([before], [now], false)).toEqual([])
    expect(regressions([], [now], true)).toEqual([])
  })
})

test.for([
  ['in one piece', ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'], [200]],
  ['cut in its head and in its body', ['HTTP/1.1 4', '29 No\r\ncontent-length: 3\r\n\r\nn', 'o', '!'], [429]],
  ['without a body', ['HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'], [200]],
  [
    'in chunks, twice, with the end cut',
    [
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r',
      '\n\r\n',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
      '2\r\nok\r\n0\r\n\r\n',
    ],
    [200, 200],
  ],
] as const)('a response %s is reported exactly at its end', ([, chunks, statuses]) => {
  const seen: number[] = []
  const take = createResponseReader((status) => void seen.push(status))
  const counts = chunks.map((chunk) => {
    take(Buffer.from(chunk))
    return seen.length
  })
  expect(seen).toEqual(statuses)
  expect(counts.slice(-2, -1)).toEqual(chunks.length > 1 ? [statuses.length - 1] : [])
})

test('a row that is measured again keeps its position', () => {
  const row = (id: string, date: string) => ({
    ...rowOf({ ...question, better: 'lower' }, series(1)),
    id,
    date,
  })
  const rows = merged([row('a/a', '1'), row('b/b', '1')], [row('c/c', '2'), row('a/a', '2')])
  expect(rows.map(({ id, date }) => id + date)).toEqual(['a/a2', 'b/b1', 'c/c2'])
})

test('a file that does not match its schema is rejected', () => {
  expect(() => parseResults('{"machine":{},"rows":[]}')).toThrow('run npm run bench')
})

test('the page and its chart match the results', () => {
  const results = readResults()
  expect(readFileSync(new URL('../docs/measured/performance.md', import.meta.url), 'utf8')).toBe(
    pageOf(results),
  )
  expect(readFileSync(new URL('../docs/images/performance.svg', import.meta.url), 'utf8')).toBe(
    plot(results.rows),
  )
})
