import { expect, test } from 'vitest'
import { createPhases } from './phases.ts'
import { latencyOf, latencyProblems } from './summary.ts'
import { memoryBounds, memoryOf, memoryProblems } from './memory.ts'

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

/** A siege whose quarters are so large, in MiB, each with some noise. */
const quarters = (sizes: readonly number[], length: number = memoryBounds.samplesLeast / 4): number[] =>
  sizes.flatMap((size) => Array.from({ length }, (_, at) => (size + (at % 20)) * mebibyte))

test.for([
  ['flat', quarters([300, 320, 310, 315]), 1, []],
  ['filled up in its first quarter', quarters([100, 300, 310, 320]), 1, []],
  ['a little larger', quarters([300, 300, 320, 325]), 1, []],
  ['growing slowly', quarters([300, 320, 340, 360]), 1, [/last quarter is 1\.12 times that of the second/]],
  ['too short to judge', quarters([300, 400, 500, 600], 10), 1, []],
  [
    'a peak',
    [...quarters([300, 300, 300, 300]), 2_000 * mebibyte],
    1,
    [/reached 2000 MiB; the bound is 1536/],
  ],
  ['the same with two replicas', [...quarters([300, 300, 300, 300]), 2_000 * mebibyte], 2, []],
  ['a process that was away', quarters([300, 300, 300, 300]).flatMap((size) => [size, Number.NaN]), 1, []],
] as const)('memory: %s', ([, rss, replicas, expected]) => {
  const problems = memoryProblems(memoryOf(rss), replicas)
  expect(problems).toEqual(expected.map((pattern) => expect.stringMatching(pattern) as string))
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
