import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operationScenarios } from './index.ts'

const folder = new URL('.', import.meta.url)

test('every file that tells stories is in the suite', () => {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => /scenario\(\{/.test(readFileSync(new URL(file, folder), 'utf8')))
    .map((file) => file.replace('.ts', ''))
  const told = new Set(Object.keys(operationScenarios).map((id) => id.split('/')[0]))
  expect(new Set(files)).toEqual(told)
})

test('every story names exchanges, judges something, and costs no more turns than requests', () => {
  const wrong = Object.entries(operationScenarios).filter(
    ([, { judge, observe, exchanges, cost }]) =>
      exchanges.length === 0 ||
      Object.keys({ ...judge, ...observe }).length === 0 ||
      cost.turns > cost.requests,
  )
  expect(wrong.map(([id]) => id)).toEqual([])
})
