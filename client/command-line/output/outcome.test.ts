import { describe, expect, it } from 'vitest'
import { outcomeOfApproval, outcomeOfTask } from './see-through.ts'

describe('what a record says of the work', () => {
  it.each([
    ['completed', true, 0, /is completed/],
    ['failed', true, 1, /is failed/],
    ['cancelled', true, 1, /is cancelled/],
    ['queued', false, 3, /is queued/],
    ['running', false, 3, /is running/],
    ['input_required', false, 3, /the owner has to give it what it asks for/],
    ['resting', false, 3, /is resting/],
    ['', false, 3, /in an unknown state/],
  ])('of a task that is %j ends with its code', (state, isFinal, code, words) => {
    expect(outcomeOfTask({ id: 't', state, isFinal, body: {} })).toEqual({
      code,
      words: expect.stringMatching(words),
    })
  })

  it.each([
    [{}, 3],
    [{ state: 'approved', decision: 'approved' }, 3],
    [{ decision: 'approved', receiptStatus: 'accepted' }, 3],
    [{ decision: 'approved', receiptStatus: 'completed' }, 0],
    [{ receiptStatus: 'pending_approval' }, 3],
    [{ receiptStatus: 'failed' }, 1],
    [{ state: 'nope', decision: 'rejected' }, 1],
  ] as const)('of an approval such as %j ends with %i', (part, code) => {
    const approval = { id: 'a', state: null, decision: null, receiptStatus: null, body: {}, ...part }
    expect(outcomeOfApproval(approval).code).toBe(code)
  })
})
