import { expect, test } from 'vitest'
import { checksOf, killersOf, killMatrix } from './kill-matrix.ts'
import { shownAbleToFail } from './kill-matrix.ts'

test('a check knows what turns it red, and first what turns least else red', () => {
  const lines = { ...killMatrix.faults, ...killMatrix.receivers, ...killMatrix.clients }
  const sizeOf = (fault: string): number => checksOf(lines[fault]?.kills).length
  const checks = new Set(Object.values(lines).flatMap(({ kills }) => checksOf(kills)))
  for (const check of checks) {
    const sizes = killersOf(check).map(({ fault }) => sizeOf(fault))
    expect(sizes).toEqual(sizes.toSorted((one, other) => one - other))
    expect(sizes.length).toBeGreaterThan(0)
  }
  expect(checks.size).toBeGreaterThan(500)
})

test.for([
  [[], undefined],
  [['One.'], 'shown able to fail by “One”'],
  [['One.', 'Two.'], 'shown able to fail by “One”, “Two”'],
  [['One.', 'Two.', 'Three.', 'Four.'], 'shown able to fail by “One”, “Two”, 2 more'],
] as const)('faults %j are worded %j', ([titles, words]) => {
  const killers = titles.map((title) => ({ fault: title, title }))
  expect(shownAbleToFail('area/story/CLAUSE', killers)).toBe(words)
})
