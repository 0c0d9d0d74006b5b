import { expect, test } from 'vitest'
import { jsonAnswer, reply } from './exchange.testkit.ts'
import { markedAsPaused, notMarkedPaused, saysPaused } from './paused.ts'

test.for([
  ['paused', true],
  [{ status: 'paused' }, true],
  [{ paused: true }, true],
  [{ state: { name: 'AI_REPLY_PAUSED' } }, true],
  [{ paused: false }, false],
  [{ on: false, isPaused: true }, true],
  ['paused_by_operator', true],
  ['not paused', false],
  [{ status: 'unpaused' }, false],
  [{ state: 'NOT_PAUSED' }, false],
  ['active', false],
  [true, false],
  [null, false],
  [undefined, false],
] as const)('%j says paused: %s', ([mark, expected]) => {
  expect(saysPaused(mark)).toBe(expected)
})

test.for([
  [{ ai_reply: 'paused' }, 'pass', 'fail'],
  [{ ai_reply: { state: 'on_hold' } }, 'warn', 'pass'],
  [{ ai_reply: { active: false } }, 'warn', 'pass'],
  [{ ai_reply: { status: 'sent' } }, 'fail', 'pass'],
  [{ ai_reply: null }, 'fail', 'pass'],
  [{ id: 'm' }, 'fail', 'pass'],
  [null, 'inconclusive', 'pass'],
  [undefined, 'inconclusive', 'pass'],
  ['paused', 'inconclusive', 'fail'],
] as const)('customer_message %j: in a pause it is %s, beside a reply %s', ([message, stored, replied]) => {
  const answer = jsonAnswer({ ...reply, customer_message: message })
  expect([markedAsPaused(answer).is, notMarkedPaused(answer).is]).toEqual([stored, replied])
})
