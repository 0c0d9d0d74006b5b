import { expect, test } from 'vitest'
import type { Judgement } from '../../scenario/judgement.ts'
import { answer, jsonAnswer } from '../../assertions/exchange.testkit.ts'
import {
  hasData,
  hasErrorText,
  hasKnownStatus,
  hasStatusText,
  isReceiptLike,
  keepsData,
  neverCompleted,
  openToo,
  refusedExecution,
} from './receipt.ts'

const completed = { status: 'completed', data: { count: 1 } }
const failed = { status: 'failed', error: { code: 'NO', resolution: 'Ask the owner.' } }

test.for<[string, number, unknown, Judgement['is']]>([
  ['a flat 403', 403, { error: 'no' }, 'pass'],
  ['a flat 404', 404, { error: 'no' }, 'pass'],
  ['a failed receipt with 200', 200, failed, 'pass'],
  ['a failed receipt with 403', 403, failed, 'pass'],
  ['a 402', 402, { error: 'no' }, 'pass'],
  ['a completed receipt', 200, completed, 'fail'],
  ['a completed receipt with 422', 422, completed, 'fail'],
  ['an accepted receipt', 202, { status: 'accepted' }, 'fail'],
  ['one that waits', 202, { status: 'pending_approval' }, 'fail'],
  ['anything else with 200', 200, { count: 1 }, 'fail'],
  ['a redirect', 302, {}, 'warn'],
  ['a server error', 500, {}, 'inconclusive'],
  ['a rate limit', 429, {}, 'inconclusive'],
])('%s is a refusal, or not', ([, status, body, is]) => {
  expect(refusedExecution(jsonAnswer(body, { status }), 'it').is).toBe(is)
})

test.for<[string, number, unknown, Judgement['is']]>([
  ['a refusal', 400, { error: 'no' }, 'pass'],
  ['a failed receipt', 200, failed, 'pass'],
  ['a completed receipt, whatever its status', 400, completed, 'fail'],
  ['an accepted receipt, whose task may still fail', 202, { status: 'accepted' }, 'inconclusive'],
  ['a server error', 500, { error: 'no' }, 'warn'],
])('what must not complete: %s', ([, status, body, is]) => {
  expect(neverCompleted(jsonAnswer(body, { status }), 'it').is).toBe(is)
})

test.for<[unknown, number, Judgement['is'], Judgement['is'], Judgement['is']]>([
  [completed, 200, 'pass', 'pass', 'pass'],
  [completed, 503, 'inconclusive', 'inconclusive', 'inconclusive'],
  [failed, 418, 'pass', 'pass', 'pass'],
  [{ status: 'done' }, 200, 'pass', 'pass', 'fail'],
  [{ status: 7 }, 200, 'pass', 'fail', 'inconclusive'],
  [{ data: {} }, 200, 'fail', 'fail', 'inconclusive'],
  [[completed], 200, 'fail', 'fail', 'inconclusive'],
  [{ error: 'NOT_FOUND' }, 404, 'fail', 'inconclusive', 'inconclusive'],
])('%o with %i has the form of a receipt, or not', ([body, status, like, text, known]) => {
  const exchange = jsonAnswer(body, { status })
  const judged = [isReceiptLike(exchange, {}), hasStatusText(exchange), hasKnownStatus(exchange)]
  expect(judged.map(({ is }) => is)).toEqual([like, text, known])
})

test('a write that is refused may lack its key, unless the target file says how it is carried', () => {
  const refused = jsonAnswer({ error: 'NO_KEY' }, { status: 400 })
  expect(isReceiptLike(refused, {}).is).toBe('inconclusive')
  expect(isReceiptLike(refused, { execution: { key: '/key' } }).is).toBe('fail')
})

test.for<[unknown, Judgement['is']]>([
  [completed, 'pass'],
  [{ status: 'completed', data: 0 }, 'pass'],
  [{ status: 'completed', data: null }, 'warn'],
  [{ status: 'completed', result: {} }, 'fail'],
  [failed, 'inconclusive'],
])('%o has its result in data, or not', ([body, is]) => {
  expect(hasData(jsonAnswer(body)).is).toBe(is)
})

test.for<[unknown, Judgement['is'], Judgement['is']]>([
  [failed, 'pass', 'pass'],
  [{ status: 'failed', error: { code: 7, resolution: ['a', 'b'] } }, 'fail', 'warn'],
  [{ status: 'failed', error: { code: '', resolution: '' } }, 'fail', 'fail'],
  [{ status: 'failed', code: 'NO', resolution: 'Wait.' }, 'fail', 'fail'],
  [{ status: 'failed', error: 'NO' }, 'fail', 'fail'],
  [completed, 'inconclusive', 'inconclusive'],
])('%o says why it failed and what to do, or not', ([body, code, resolution]) => {
  const exchange = jsonAnswer(body, { status: 422 })
  expect([hasErrorText(exchange, 'code').is, hasErrorText(exchange, 'resolution').is]).toEqual([
    code,
    resolution,
  ])
})

test('an answer that broke off says nothing', () => {
  expect(refusedExecution(answer('{', { failure: 'reset' }), 'it').is).toBe('inconclusive')
})

test.for<[string, unknown, Judgement['is']]>([
  ['the same result', { status: 'completed', data: { id: 1 } }, 'pass'],
  ['another result', { status: 'completed', data: [] }, 'pass'],
  ['null', { status: 'completed', data: null }, 'fail'],
  ['no result', { status: 'completed' }, 'fail'],
  ['a receipt that failed', { status: 'failed', error: {} }, 'inconclusive'],
])('what comes again as completed has %s', ([, body, is]) => {
  const first = jsonAnswer({ status: 'completed', data: { id: 1 } })
  expect(keepsData(first, [jsonAnswer(body)]).is).toBe(is)
})

test.for<[number, object, Judgement['is']]>([
  [200, { status: 'completed', data: {} }, 'pass'],
  [403, { error: 'The key lacks a scope.' }, 'warn'],
  [422, { status: 'failed', error: { code: 'IMPORT_UNDER_WAY', resolution: 'Wait.' } }, 'inconclusive'],
  [200, { status: 'failed', error: { code: 'IMPORT_UNDER_WAY', resolution: 'Wait.' } }, 'inconclusive'],
])('beside a twin that was taken a %i with %o is that, too', ([status, body, is]) => {
  expect(openToo(jsonAnswer(body, { status }), 'it to be taken').is).toBe(is)
})
