/** The arithmetic of the benchmarks. */
import { expect, test } from 'vitest'
import { interleave, quantile, rowLine } from '../bench/measure.ts'

test.for([
  [[3], 3, 3],
  [[4, 1], 1.75, 2.5],
  [[5, 1, 4, 2, 3], 2, 3],
] as const)('the lower quartile of %j is %d, its median %d', ([values, low, median]) => {
  expect([quantile(values, 0.25), quantile(values, 0.5)]).toEqual([low, median])
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

const ours = { name: 'ours', values: [100, 200] }
const theirs = { name: 'theirs', values: [200, 400] }

test.for([
  ['higher', { theirs, goal: 0.5 }, 'ratio 0.5 (0.5 to 0.5), at least 0.5: reached'],
  ['higher', { theirs, goal: 0.51 }, 'ratio 0.5 (0.5 to 0.5), at least 0.51: not reached'],
  ['lower', { goal: 150 }, 'ours 150 ms (125 to 175), at most 150: reached'],
] as const)('%s is better, %j: %s', ([better, row, end]) => {
  expect(rowLine({ what: 'turns', unit: 'ms', better, ours, ...row })).toContain(end)
})
