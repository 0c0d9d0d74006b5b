import { expect, test } from 'vitest'
import { createPhases } from './phases.ts'
import { latencyOf, latencyProblems, memoryOf, memoryProblems } from './summary.ts'

const mebibyte = 1024 * 1024
const times = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms)

test('quantiles are of all answers, in any order', () => {
  expect(latencyOf([5, 1, 4, 2, 3])).toMatchObject({ count: 5, p50: 3 })
  expect(latencyOf(Array.from({ length: 101 }, (_, at) => 100 - at)).p99).toBe(99)
})

test.for([
  ['ten times the quiet p99', times(500, 20), times(500, 200), []],
  ['more', times(500, 20), times(500, 202), [/10\.1 times/]],
  ['a quiet p99 that is only noise', times(500, 0.1), times(500, 49), []],
  ['a few slow answers of many', times(500, 20), [...times(997, 20), ...times(3, 5_000)], []],
  ['too few answers', times(500, 20), times(3, 20), [/only 500 quiet and 3 besieged/]],
] as const)('latency: %s', ([, quiet, siege, expected]) => {
  const problems = latencyProblems({ quiet: [...quiet], siege: [...siege] })
  expect(problems).toEqual(expected.map((pattern) => expect.stringMatching(pattern) as string))
})

test.for([
  ['flat', [300, 320, 310], 1, []],
  ['filled up to a limit', [100, 200, 270], 1, []],
  ['growing', [300, 600, 900], 1, [/grew from 300 to 900/]],
  ['a peak', [300, 2_000, 300], 1, [/reached 2000 MiB; the bound is 1536/]],
  ['the same with two replicas', [300, 2_000, 300], 2, []],
  ['a process that was away', [300, Number.NaN, 320, 310], 1, []],
] as const)('memory: %s', ([, mebibytes, replicas, expected]) => {
  const memory = memoryOf(mebibytes.map((size) => size * mebibyte))
  expect(memoryProblems(memory, replicas)).toEqual(
    expected.map((pattern) => expect.stringMatching(pattern) as string),
  )
})

test('an answer may fail only if a declared fault was on while it was in flight', () => {
  let now = 0
  const phases = createPhases(() => now)
  now = 10
  const over = phases.declare()
  expect(phases.declared(0, 9)).toBe(false)
  expect(phases.declared(5, 11)).toBe(true)
  now = 20
  over()
  expect(phases.declared(15, 30)).toBe(true)
  expect(phases.declared(21, 30)).toBe(false)
})
