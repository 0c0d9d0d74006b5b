import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'
import {
  heldHistory,
  historyNote,
  nothingAfterRejection,
  nothingBefore,
  onceApproved,
  over,
  type HeldEntry,
  type HeldStep,
} from './approval-history.ts'

/** `ask 0 5`: after a request for operation 0 the effect counts 5. A fourth word is an excuse. */
const history = (...lines: readonly string[]): readonly HeldEntry[] =>
  lines.map((line) => {
    const [step = '', slot, count, excuse] = line.split(' ')
    return { step: step as HeldStep, slot: Number(slot), count: Number(count), ...(excuse ? { excuse } : {}) }
  })

const judged = (entries: readonly HeldEntry[]) =>
  [nothingBefore, nothingAfterRejection, onceApproved].map((judge) => judge(entries).is)

const start = ['look 0 5', 'look 0 5', 'ask 0 5', 'ask 1 5', 'reject 1 5'] as const

describe('of two held operations, one approved and one rejected', () => {
  test.for([
    ['is done by itself', ['approve 0 6', 'again 0 6', 'settle 0 6', 'again 1 6'], ['pass', 'pass', 'pass']],
    ['is done when sent again', ['approve 0 5', 'again 0 6', 'settle 0 6'], ['pass', 'pass', 'pass']],
    ['is done a little later', ['approve 0 5', 'again 0 5', 'settle 0 6'], ['pass', 'pass', 'pass']],
    ['is done twice', ['approve 0 6', 'settle 0 6', 'again 0 7'], ['pass', 'pass', 'fail']],
    ['is never done', ['approve 0 5', 'settle 0 5'], ['inconclusive', 'inconclusive', 'fail']],
    [
      'is still under way',
      ['approve 0 5', 'settle 0 5 runs'],
      ['inconclusive', 'inconclusive', 'inconclusive'],
    ],
    ['that was rejected is done, too', ['again 1 6', 'approve 0 7', 'settle 0 7'], ['pass', 'fail', 'pass']],
    [
      'that was rejected is done after the other',
      ['approve 0 6', 'settle 0 6', 'again 1 7'],
      ['pass', 'fail', 'pass'],
    ],
  ] as const)('what %s', ([, lines, expected]) => {
    expect(judged(history(...start, ...lines))).toEqual(expected)
  })
})

test.for([
  ['at once, and once more when approved', ['ask 0 6', 'approve 0 7', 'settle 0 7'], ['fail', 'pass']],
  ['when it is sent again', ['ask 0 5', 'again 0 6', 'approve 0 7', 'settle 0 7'], ['fail', 'pass']],
  ['at once, and never when approved', ['ask 0 6', 'approve 0 6', 'settle 0 6'], ['fail', 'fail']],
] as const)('what is held is done %s', ([, lines, [before, approved]]) => {
  const entries = history('look 0 5', 'look 0 5', ...lines)
  expect([nothingBefore(entries).is, onceApproved(entries).is]).toEqual([before, approved])
})

test.for([
  ['grows before anything is asked for', ['look 0 5', 'look 0 6', 'ask 0 6', 'approve 0 7', 'settle 0 7']],
  ['shrinks', ['look 0 5', 'look 0 5', 'ask 0 4', 'approve 0 5', 'settle 0 5']],
] as const)('an effect that %s is inconclusive', ([, lines]) => {
  expect(nothingBefore(history(...lines)).is).toBe('inconclusive')
  expect(onceApproved(history(...lines)).is).toBe('inconclusive')
})

test('a breach counts in a scenario that broke off, and nothing else does', () => {
  const judgeOf = (lines: readonly string[]) => {
    const notes = { [historyNote]: JSON.stringify(history(...lines)) }
    const scenario = {
      effect: [jsonAnswer({})],
      get last(): never {
        throw new Error('not run')
      },
    }
    return () => over(scenario, { notes }, nothingBefore).is
  }
  expect(judgeOf(['look 0 5', 'look 0 5', 'ask 0 6'])()).toBe('fail')
  expect(judgeOf(['look 0 5', 'look 0 5', 'ask 0 5'])).toThrow('not run')
  expect(heldHistory({})).toEqual([])
})
