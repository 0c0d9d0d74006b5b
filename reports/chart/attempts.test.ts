import { describe, expect, it } from 'vitest'
import type { Exchange } from '../bundle/record.ts'
import { exchange, runOf } from '../testing/run.testkit.ts'
import { deliveriesOf } from './attempts.ts'

interface Coming {
  id?: string
  status?: number
  failure?: Exchange['failure']
}

/** It took us 5 ms of our time, and 10 of the target's. */
function coming(targetAt: number, { id, status = 200, failure = null }: Coming = {}): Exchange {
  const one = exchange(1, { inbound: { place: '/a', targetAt, targetEndedAt: targetAt + 10 }, failure })
  const named = id === undefined ? [] : [['X-Service-Delivery-Id', id] as const]
  return {
    ...one,
    request: { ...one.request, headers: [...named, ['x-service-event', 'leads.submit']] },
    response: failure ? null : { status, headers: [], at: 1, chunks: [], complete: true },
  }
}

const reset = { kind: 'reset', message: 'we hung up' } as const

describe('deliveries', () => {
  it('are counted if accepted at once, and listed if rejected or repeated', () => {
    const journal = [
      exchange(1),
      coming(1_000, { id: 'a', status: 500 }),
      coming(1_100, { id: 'plain' }),
      coming(7_000, { id: 'a' }),
      coming(3_000, { id: 'a', failure: reset }),
      coming(4_000, { status: 404 }),
      coming(5_000),
    ]

    expect(deliveriesOf(runOf([], {}, journal))).toEqual({
      total: 4,
      retriedOrFailed: [
        {
          id: 'a',
          event: 'leads.submit',
          scenario: 'idempotency/replay',
          attempts: [
            { after: 0, took: 10, answer: '500', taken: false },
            { after: 2_000, took: 10, answer: 'reset', taken: false },
            { after: 6_000, took: 10, answer: '200', taken: true },
          ],
        },
        {
          id: null,
          event: 'leads.submit',
          scenario: 'idempotency/replay',
          attempts: [{ after: 0, took: 10, answer: '404', taken: false }],
        },
      ],
    })
  })

  it('without a time are left out', () => {
    const journal = [Infinity, Number.NaN, -1].map((at) => coming(at, { id: 'a' }))

    expect(deliveriesOf(runOf([], {}, journal))).toEqual({ total: 0, retriedOrFailed: [] })
  })
})
