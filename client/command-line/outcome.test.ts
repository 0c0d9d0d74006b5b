import { describe, expect, it } from 'vitest'
import { outcomeOfApproval, outcomeOfTask } from './outcome.ts'

describe('what a record says of the work', () => {
  it.each([
    ['completed', true, 0, /is completed/],
    ['failed', true, 1, /is failed/],
    ['cancelled', true, 1, /is cancelled/],
    ['queued', false, 3, /is queued/],
    ['running', false, 3, /is running/],
    ['input_required', false, 3, /the owner has to give it what it asks for/],
    ['resting', false, 3, /is resting/],
    ['', false, 3, /in no state that was told/],
  ])('of a task that is %j ends with its code', (state, isFinal, code, words) => {
    expect(outcomeOfTask({ id: 't', state, isFinal, body: {} })).toEqual({
      code,
      words: expect.stringMatching(words),
    })
  })

  it.each([
    [{ state: 'pending' }, 3],
    [{ state: 'approved' }, 3],
    [{ state: 'approved', receipt: { status: 'accepted' } }, 3],
    [{ state: 'approved', receipt: { status: 'completed' } }, 0],
    [{ state: 'rejected', receipt: { status: 'failed' } }, 1],
    [{ status: 'pending_approval' }, 3],
    [{ status: 'completed' }, 0],
    [{ status: 'failed' }, 1],
    [{}, 3],
  ])('of an approval such as %j ends with %i', (body, code) => {
    expect(outcomeOfApproval({ id: 'a', state: null, body }).code).toBe(code)
  })
})
