import { expect, test } from 'vitest'
import { stepThrough } from './shared-time.ts'

/** The steps of a wait on a clock on which something falls due at these moments, as far as the target says so. */
async function stepsOf(ms: number, due: readonly number[] | null, soonFirst = false): Promise<number[]> {
  const steps: number[] = []
  const now = (): number => steps.reduce((sum, step) => sum + step, 0)
  const next = (): number => due?.find((moment) => moment > now()) ?? Number.POSITIVE_INFINITY
  const time = { quiet: () => (due === null ? 0 : next() - now()) }
  const over = await stepThrough(ms, { time, wait: async (step) => void steps.push(step) }, { soonFirst })
  expect(over).toBe(false)
  return steps
}

test.each([
  ['goes by seconds where the target does not say', 2_500, null, [1000, 1000, 500]],
  ['goes to its end where nothing waits', 60_000, [], [1000, 59_000]],
  ['goes to each moment at which something falls due', 60_000, [4_000, 9_000], [1000, 3000, 5000, 51_000]],
  ['makes no smaller steps for what falls due together', 5_000, [1_200, 1_300, 1_400], [1000, 1000, 3000]],
  ['goes no further than was said', 5_000, [90_000], [1000, 4000]],
  ['is one step of nothing for no time at all', 0, null, [0]],
] as const)('a wait %s', async (_, ms, due, steps) => {
  expect(await stepsOf(ms, due)).toEqual(steps)
})

test('a wait for what comes soon goes by parts of a second first', async () => {
  expect(await stepsOf(2_500, null, true)).toEqual([0, 100, 200, 700, 1000, 500])
  expect(await stepsOf(60_000, [30_000], true)).toEqual([0, 30_000, 30_000])
})

test('a long wait is made in so many steps, and adds up', async () => {
  const steps = await stepsOf(3_600_500, null)
  expect(steps.length).toBeLessThanOrEqual(121)
  expect(steps.reduce((sum, step) => sum + step, 0)).toBe(3_600_500)
})
