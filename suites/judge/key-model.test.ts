import { expect, test } from 'vitest'
import { jsonAnswer, reply } from './exchange.double.ts'
import { follows, stepsOf } from './key-model.ts'
import { replayHeader } from './reply.ts'

const asking = (message: string, stream: boolean, idempotency_key = 'k') => ({
  request: { message, stream, idempotency_key },
})
const json = ['content-type', 'application/json'] as const
const first = jsonAnswer(reply, asking('one', false))
const replay = jsonAnswer(reply, { ...asking('one', false), headers: [json, [replayHeader, 'true']] })
const conflict = jsonAnswer({ error: 'IDEMPOTENCY_CONFLICT' }, { ...asking('two', false), status: 409 })
const streamed = jsonAnswer(reply, { ...asking('one', true), headers: [json, [replayHeader, 'true']] })
const elsewhere = jsonAnswer({ ...reply, response: 'x' }, asking('one', false, 'l'))

test('each request is placed by what was asked with its key before', () => {
  const sequence = [first, replay, elsewhere, conflict, replay, streamed]
  expect(stepsOf(sequence).map(({ relation }) => relation)).toEqual([
    'first',
    'undisturbed',
    'first',
    'other-message',
    'after-other-message',
    'other-mode',
  ])
})

test('a sequence follows the model step by step', () => {
  const sequence = [first, replay, conflict, replay, streamed]
  for (const kind of ['first', 'undisturbed', 'other-message', 'after-other-message', 'other-mode'] as const)
    expect(follows(sequence, kind).is).toBe('pass')
  expect(follows([first], 'other-message').is).toBe('inconclusive')
})

test('a step that does not follow is broken', () => {
  const rerun = jsonAnswer({ ...reply, response: 'y' }, asking('one', false))
  const accepted = jsonAnswer({ ...reply, response: 'y' }, asking('two', false))
  expect(follows([first, rerun], 'undisturbed').is).toBe('broken')
  expect(follows([first, accepted], 'other-message').is).toBe('broken')
  expect(follows([replay], 'first').is).toBe('broken')
})
