import { describe, expect, test } from 'vitest'
import type { Result } from './jobs.ts'
import { hardIds } from './hard-faults.ts'
import { pageOf } from './page.ts'
import { atMost, shortfalls, spreadOf, summaryOf } from './summary.ts'

const costs = (profile: 'smoke' | 'standard' | 'exhaustive', ...requests: readonly number[]): Result => ({
  is: 'costs',
  profile,
  scenarios: requests.map((each, at) => ({ scenario: `area/scenario-${at + 1}`, requests: each })),
})
const fault = 'lost-update'
const run = (seed: number, ...scenarios: readonly number[]): Result => ({
  is: 'fault',
  fault,
  seed,
  red: scenarios.map((scenario) => ({
    scenario: `area/scenario-${scenario}`,
    check: `area/scenario-${scenario}/CRED-BALANCE`,
    shrinking: scenario === 3 ? 7 : null,
  })),
})
const clean = (seed: number, ...red: readonly string[]): Result => ({ is: 'clean', variant: null, seed, red })

const measured: readonly Result[] = [
  costs('smoke', 2),
  costs('standard', 2, 5),
  costs('exhaustive', 2, 5, 11),
  run(1, 2, 3),
  run(2, 3),
  run(3),
  clean(1),
  clean(2, 'area/scenario-1/CRED-BALANCE: expected 1, got 2'),
]

describe('a measurement', () => {
  const summary = summaryOf(measured)

  test('counts the requests of a profile up to the first scenario that turned red', () => {
    expect(summary.faults).toEqual([
      {
        fault,
        seeds: 3,
        found: {
          smoke: { seeds: 0, requests: null },
          standard: { seeds: 1, requests: { median: 7, max: 7 } },
          exhaustive: { seeds: 2, requests: { median: 12.5, max: 18 } },
        },
        shrinking: { median: 7, max: 7 },
      },
    ])
    expect(summary.requests).toEqual({ smoke: 2, standard: 7, exhaustive: 18 })
    expect(summary.shares.standard).toBeCloseTo(1 / 3)
  })

  test('says what it does not reach, and each false alarm in words', () => {
    expect(shortfalls(summary, { seeds: 0, cleanRuns: 0 })).toEqual([
      'not found by every seed in the exhaustive profile: lost-update',
      'found in the standard profile in 33 of 100 runs, not in 95',
      'false alarm: the plain simulator, seed 2: area/scenario-1/CRED-BALANCE: expected 1, got 2',
    ])
    const well = summaryOf([...measured.slice(0, 3), run(1, 1), clean(1)])
    expect(shortfalls(well, { seeds: 0, cleanRuns: 0 })).toEqual([])
    expect(shortfalls(well, { seeds: 1, cleanRuns: 1 })).toEqual([
      `${hardIds.length - 1} faults were tried with fewer than 1 seeds`,
      'fewer than 1 runs each of the plain simulator and of variants were looked at',
    ])
  })

  test('gives the same page whatever order its results came in', () => {
    const making = { on: '2026-01-02', version: '1.2.3', sources: 'abc', cores: 2, node: '24.0.0' }
    const page = pageOf(summary, making)
    expect(pageOf(summaryOf(measured.toReversed()), making)).toBe(page)
    expect(page).toContain('| `lost-update` |')
    expect(page).toContain('| 7 (7) | 12.5 (18) | 7 (7) | 0 · 1 · 2 of 3 |')
    expect(page).toContain('**1 in 2 runs**')
  })
})

test.for([
  [[], null],
  [[4], { median: 4, max: 4 }],
  [[9, 1, 5], { median: 5, max: 9 }],
  [[10, 2, 4, 8], { median: 6, max: 10 }],
] as const)('the spread of %j is %j', ([numbers, spread]) => {
  expect(spreadOf(numbers)).toEqual(spread)
})

test.for([
  [0, 1],
  [1, 1],
  [30, 0.1],
  [300, 0.01],
] as const)('what never happened in %d runs happens in at most %d of them', ([runs, share]) => {
  expect(atMost(runs)).toBeCloseTo(share)
})
