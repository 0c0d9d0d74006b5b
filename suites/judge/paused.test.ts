import { expect, test } from 'vitest'
import { saysPaused } from './paused.ts'

test.for([
  ['paused', true],
  [{ status: 'paused' }, true],
  [{ paused: true }, true],
  [{ state: { name: 'AI_REPLY_PAUSED' } }, true],
  [{ paused: false }, false],
  ['active', false],
  [true, false],
  [null, false],
  [undefined, false],
] as const)('%j says paused: %s', ([mark, expected]) => {
  expect(saysPaused(mark)).toBe(expected)
})
