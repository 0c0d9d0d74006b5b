import { expect, test } from 'vitest'
import type { Exchange } from '../../../wire/exchange.ts'
import { creditsModel } from './chat-model-credits.ts'
import { sequenceRequestsOf } from './model-requests.ts'
import { keyModel } from './chat-model.ts'
import { jsonAnswer, reply, replayHeader } from '../../../assertions/exchange.testkit.ts'

const json = ['content-type', 'application/json'] as const
const mark = { headers: [json, [replayHeader, 'true'] as const] }
const asking = (name: string, message: string, stream = false, idempotency_key = 'k') => ({
  name,
  request: { message, stream, idempotency_key },
})

const turn = jsonAnswer(reply, asking('turn', 'one'))
const again = jsonAnswer(reply, { ...asking('again', 'one'), ...mark })
const conflict = jsonAnswer(
  { error: 'IDEMPOTENCY_CONFLICT' },
  { ...asking('otherMessage', 'two'), status: 409 },
)
const streamed = jsonAnswer(reply, { ...asking('otherMode', 'one', true), ...mark })
const elsewhere = jsonAnswer({ ...reply, response: 'x' }, asking('turn', 'one', false, 'l'))
const empty = jsonAnswer({ error: 'a message is required' }, { ...asking('empty', ''), status: 400 })
const rerun = jsonAnswer({ ...reply, response: 'y' }, asking('again', 'one'))
const accepted = jsonAnswer({ ...reply, response: 'y' }, asking('otherMessage', 'two'))
const busy = jsonAnswer({ error: 'slow down' }, { ...asking('again', 'one'), status: 429 })

const judge = (clause: keyof typeof keyModel, ...course: readonly Exchange[]): string =>
  keyModel[clause](course, { dialect: {}, notes: {} }).is

test('each request refers to the first with its key, and a bad one to nothing', () => {
  const course = [turn, elsewhere, conflict, empty, again]
  const firsts = sequenceRequestsOf(course).map(({ first }) => first)
  expect(firsts).toEqual([turn, elsewhere, turn, empty, turn])
  expect(sequenceRequestsOf(course).at(-1)?.between).toEqual([conflict])
})

test.each([
  ['IDEM-FRESH-UNMARKED', [turn], 'pass'],
  ['IDEM-REPLAY-AGAIN', [turn, again], 'pass'],
  ['IDEM-REPLAY-AGAIN', [turn, rerun], 'fail'],
  ['IDEM-REPLAY-AGAIN', [turn, busy], 'inconclusive'],
  ['IDEM-REPLAY-AGAIN', [turn, conflict, again], 'inconclusive'],
  ['IDEM-CONFLICT-UNCHANGED', [turn, conflict, again], 'pass'],
  ['IDEM-CONFLICT-UNCHANGED', [turn, conflict, rerun], 'fail'],
  ['IDEM-CONFLICT-STATUS', [turn, conflict], 'pass'],
  ['IDEM-CONFLICT-STATUS', [turn, accepted], 'fail'],
  ['IDEM-OTHER-MODE', [turn, streamed], 'pass'],
  ['IDEM-OTHER-MODE-ONE-DONE', [turn, streamed], 'not-applicable'],
  ['REQ-MESSAGE-EMPTY', [turn, empty], 'pass'],
  ['REQ-MESSAGE-EMPTY', [empty], 'inconclusive'],
] as const)('%s in a course of %o', (clause, course, expected) => {
  expect(judge(clause, ...course)).toBe(expected)
})

test.each([
  ['that was charged', {}, 'fail'],
  ['that was charged, and went out twice: its turn may have run', { resent: true as const }, 'inconclusive'],
] as const)('between two turns a replay %s', (_, more, expected) => {
  const paid = (left: number, key: string): Exchange =>
    jsonAnswer({ ...reply, response: key, credits_remaining: left }, asking('turn', key, false, key))
  const course = [paid(41, 'a'), paid(40, 'b'), { ...again, ...more }, paid(38, 'c')]
  expect(creditsModel['IDEM-REPLAY-FREE'](course, { dialect: {}, notes: {} }).is).toBe(expected)
})
