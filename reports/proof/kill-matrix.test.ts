import { expect, test } from 'vitest'
import { checksOf, killersOf, killMatrix } from './kill-matrix.ts'

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
