import { describe, expect, it } from 'vitest'
import type { Exchange } from '../bundle/record.ts'
import { exchange, runOf } from '../testing/run.testkit.ts'
import { inAnyMinute } from './any-minute.ts'
import { requestLoad } from './request-load.ts'

const inbound = { place: '/a', targetAt: 5, targetEndedAt: 6 }

type Header = readonly [name: string, value: string]

interface Sending {
  principal?: string | null
  status?: number
  headers?: readonly Header[]
}

function sending(at: number, { principal = 'main', status = 200, headers = [] }: Sending = {}): Exchange {
  const one = exchange(1, { sentAt: at, endedAt: at + 1 })
  return {
    ...one,
    request: { ...one.request, principal },
    response: { status, headers, at, chunks: [], complete: true },
  }
}

const counts = (limit: number | string, remaining: number | string): readonly Header[] => [
  ['X-RateLimit-Limit', String(limit)],
  ['x-ratelimit-remaining', String(remaining)],
]

const simulator = { name: 'simulator', kind: 'simulator', baseUrl: 'http://127.0.0.1:1' } as const

describe('the requests within a minute', () => {
  it.each([
    ['nothing', [], [0, 0, 0, 0]],
    ['one that stays for its minute', [0], [1, 1, 0, 0]],
    ['one a minute later, which finds it gone', [0, 60_000], [1, 1, 1, 1]],
    ['one a little earlier, which does not', [0, 59_999], [1, 2, 1, 1]],
    ['a burst within a bin', [100_000, 100_000, 100_001], [0, 0, 0, 3]],
    ['one at the very end', [120_000], [0, 0, 0, 1]],
  ])('are, of %s, the most in each half minute', (_, times, most) => {
    expect(inAnyMinute(times, { end: 120_000, bins: 4 })).toEqual(most)
  })

  it('are counted by key on our clock, without what came in, was never sent or has no time', () => {
    const none = exchange(9, { failure: { kind: 'budget', message: 'spent' }, response: null })
    const came = exchange(9, { inbound })
    const odd = [Number.NaN, Infinity, -1, 1e300].map((at) => sending(at))
    const journal = [sending(0), sending(10), sending(70_000, { principal: null }), none, came, ...odd]

    const load = requestLoad(runOf([], {}, journal))
    expect(load).toMatchObject({ countedBy: 'us', sent: 3, withoutKey: 1, kept: 60, said: [] })
    expect(load.loads).toMatchObject([{ principal: 'main', sent: 2, most: 2, limited: 0 }])
    expect(load.grid.end).toBe(70_001)
  })

  it('are what the target says that it counted, once its clock was moved on', () => {
    const journal = [
      sending(0, { headers: counts(60, 59) }),
      sending(1, { headers: counts(60, 2) }),
      sending(2, { headers: counts(60, 0), status: 429 }),
      sending(3, { headers: counts(60, 61) }),
      sending(4, { headers: counts('sixty', 'none') }),
      sending(5, { principal: 'silent' }),
    ]

    const { loads, said, limited, countedBy } = requestLoad(runOf([], { target: simulator }, journal))
    expect(countedBy).toBe('target')
    expect(said).toEqual([60])
    expect(loads).toMatchObject([
      { principal: 'main', most: 60, sent: 5, limited: 1 },
      { principal: 'silent', most: null },
    ])
    expect(limited.reduce((sum, count) => sum + count)).toBe(1)
  })

  it.each([
    ['a delivery ahead of us', [exchange(1, { inbound: { ...inbound, targetAt: 60_000 } })], 'target'],
    ['a delivery at our time', [exchange(1, { inbound: { ...inbound, targetAt: 10 } })], 'us'],
    ['resets within a minute', [1_800_000_001, 1_800_000_060], 'us'],
    ['resets that run ahead', [1_800_000_001, 1_800_000_600], 'target'],
    ['seconds to go', [1, 600], 'us'],
  ] as const)('are counted, after %s, by the %s', (_, seen, by) => {
    const journal = seen.map((one) =>
      typeof one === 'number' ? sending(5, { headers: [['X-RateLimit-Reset', String(one)]] }) : one,
    )

    expect(requestLoad(runOf([], {}, journal)).countedBy).toBe(by)
  })

  it('are put together for all but the three busiest keys, of which the busiest counts', () => {
    const journal = ['a', 'b', 'c', 'd', 'e'].flatMap((principal, index) =>
      Array.from({ length: 9 - index }, () => sending(0, { principal })),
    )

    expect(requestLoad(runOf([], {}, journal)).loads).toMatchObject([
      { principal: 'a', most: 9 },
      { principal: 'b', most: 8 },
      { principal: 'c', most: 7 },
      { keys: 2, most: 6, sent: 11 },
    ])
  })

  it('know no rate where the run kept to none, which a record on disk has as null', () => {
    const budgets = { ...runOf([]).record.budgets, requestsPerMinute: Infinity }

    expect(requestLoad(runOf([], { budgets })).kept).toBeNull()
  })
})
