import { describe, expect, test } from 'vitest'
import type { Exchange } from '../wire/exchange.ts'
import { gaveUpOn, waitedFor } from './answer-wait.ts'
import { attempt } from './inbound.double.ts'

describe('an answer that is held back', () => {
  const held = (place: string, took: number, status: number | null): Exchange =>
    attempt({ place, id: `whd_${place}`, took, status, ...(status === null ? { failure: 'aborted' } : {}) })
  const again = (place: string): Exchange => attempt({ place, id: `whd_${place}`, at: 20_000 })

  test.for([
    ['for five seconds counts', [held('/a', 5_010, 200), held('/b', 5_010, 200)], 'pass'],
    [
      'for five seconds does not count',
      ['/a', '/b', '/c'].flatMap((place) => [held(place, 5_010, 200), again(place)]),
      'broken',
    ],
    ['is not waited for', [held('/a', 3_000, null), again('/a')], 'broken'],
    ['for seven seconds decides nothing', [held('/a', 7_000, 200), again('/a')], 'inconclusive'],
    ['is not waited for after seven seconds', [held('/a', 7_000, null), again('/a')], 'inconclusive'],
  ] as const)('%s', ([, came, expected]) => {
    expect(waitedFor(came).is).toBe(expected)
  })

  test.for([
    ['for sixteen seconds is too late', [held('/a', 10_000, null), again('/a')], 'pass'],
    ['for sixteen seconds counts', [held('/a', 16_010, 200)], 'broken'],
    ['for ever is waited for', [held('/a', 90_000, null)], 'broken'],
    ['for twelve seconds decides nothing', [held('/a', 12_000, 200)], 'inconclusive'],
  ] as const)('and %s', ([, came, expected]) => {
    expect(gaveUpOn(came).is).toBe(expected)
  })
})
