import { expect, test } from 'vitest'
import { evidenceOf } from './evidence.ts'
import { finding } from '../testing/run.testkit.ts'

test.each([
  ['fail', [48, 46, 47], 6, { ids: [46, 47, 48], decisive: 48, rest: 0 }],
  ['warn', [9, 1, 2, 3], 3, { ids: [1, 2, 9], decisive: 9, rest: 1 }],
  ['fail', [5], 6, { ids: [5], decisive: null, rest: 0 }],
  ['inconclusive', [5, 4], 6, { ids: [4, 5], decisive: null, rest: 0 }],
  ['error', [], 6, { ids: [], decisive: null, rest: 0 }],
] as const)('%s on %j shows, of at most %i, what was sent first first', (verdict, evidence, most, shown) => {
  expect(evidenceOf(finding({ verdict, evidence }), most)).toEqual(shown)
})
