import { expect, test } from 'vitest'
import { isShallow } from './json.ts'

const open = (levels: number): string => '['.repeat(levels)

test.for([
  ['100 levels', open(100), true],
  ['101 levels', open(101), false],
  ['brackets in a string', `"${open(101)}"`, true],
  ['brackets after an escaped quote', `"\\"${open(101)}"`, true],
  ['brackets after a string that ends with a backslash', `"\\\\"${open(101)}`, false],
] as const)('JSON with %s is shallow or not', ([, json, expected]) => {
  expect(isShallow(Buffer.from(json))).toBe(expected)
})
