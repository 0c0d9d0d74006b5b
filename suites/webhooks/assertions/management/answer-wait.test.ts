import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../wire/exchange.ts'
import { gaveUpOn, waitedFor } from './answer-wait.ts'
import { attempt } from '../../../assertions/inbound.testkit.ts'

describe('an answer that is held back', () => {
  const held = (place: string, took: number, status: number | null): Exchange =>
    attempt({ place, id: `whd_${place}`, took, status, ...(status === null ? { failure: 'aborted' } : {}) })
  const again = (place: string, at = 20_000): Exchange => attempt({ place, id: `whd_${place}`, at })
  const placed = (made: (place: string) => readonly Exchange[]) => ['/a', '/b', '/c'].flatMap(made)

  test.for([
    ['for five seconds counts', [held('/a', 5_010, 200), held('/b', 5_010, 200)], 'pass'],
    ['and came again later counts', placed((place) => [held(place, 5_010, 200), again(place)]), 'pass'],
    [
      'is not waited for, though the connection stays open',
      placed((place) => [held(place, 5_010, 200), again(place, 3_000)]),
      'warn',
    ],
    ['came twice at once', placed((place) => [held(place, 5_010, 200), again(place, 20)]), 'pass'],
    ['is not waited for', [held('/a', 3_000, null), again('/a')], 'fail'],
    ['for seven seconds decides nothing', [held('/a', 7_000, 200), again('/a')], 'inconclusive'],
    ['is not waited for after seven seconds', [held('/a', 7_000, null), again('/a')], 'inconclusive'],
  ] as const)('%s', ([, came, expected]) => {
    expect(waitedFor(came).is).toBe(expected)
  })

  test.for([
    ['for sixteen seconds is too late', [held('/a', 10_000, null), again('/a')], 'pass'],
    ['for sixteen seconds counts', [held('/a', 16_010, 200)], 'fail'],
    ['for ever is waited for', [held('/a', 90_000, null)], 'fail'],
    ['for twelve seconds decides nothing', [held('/a', 12_000, 200)], 'inconclusive'],
  ] as const)('and %s', ([, came, expected]) => {
    expect(gaveUpOn(came).is).toBe(expected)
  })
})
