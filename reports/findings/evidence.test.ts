import { expect, test } from 'vitest'
import { evidenceOf } from './evidence.ts'
import { finding } from '../testing/run.testkit.ts'

test.each([
  ['fail', [48, 46, 47], 6, [[46], [47], [48, '←']], 0],
  ['warn', [9, 1, 2, 3], 3, [[1], [2], [9, '←']], 1],
  ['fail', [5], 6, [[5]], 0],
  ['inconclusive', [5, 4], 6, [[4], [5]], 0],
  ['error', [], 6, [], 0],
] as const)('%s on %j shows at most %i, in the order sent', (verdict, evidence, most, expected, rest) => {
  const { shown, rest: left } = evidenceOf(finding({ verdict, evidence }), most)

  expect(shown.map(({ id, decisive }) => (decisive ? [id, '←'] : [id]))).toEqual(expected)
  expect(left).toBe(rest)
})

test('shows the exchanges that a check cites, with their roles, and counts the others', () => {
  const cited = [
    { exchange: 7, as: 'update that lost it' },
    { exchange: 3, as: 'created' },
  ]

  expect(evidenceOf(finding({ verdict: 'fail', evidence: [9, 7, 3, 4, 5, 6], cited }), 6)).toEqual({
    shown: [
      { id: 3, as: 'created', decisive: false },
      { id: 7, as: 'update that lost it', decisive: false },
      { id: 9, decisive: true },
    ],
    rest: 3,
  })
})
