import { describe, expect, test } from 'vitest'
import { sentTurn, type Sent } from './step-result.testkit.ts'
import { notSentAgain, retriesSameTurn, waitsBeforeRetry } from './retry.ts'

const turns = (...sent: readonly Sent[]) => sent.map(sentTurn)

describe('a turn that is sent again', () => {
  const button = { interaction: { type: 'workflow_button', runId: 1, payload: { a: 1, b: 2 } } }
  const cases: readonly [name: string, first: Sent, again: Sent, is: string][] = [
    ['is the same one', {}, {}, 'pass'],
    ['may ask for a stream or not', { body: { stream: true } }, { body: { stream: false } }, 'pass'],
    ['may carry further members', {}, { body: { metadata: { try: 2 } } }, 'pass'],
    [
      'may order its members differently',
      { body: button },
      { body: { interaction: { payload: { b: 2, a: 1 }, runId: 1, type: 'workflow_button' } } },
      'pass',
    ],
    ['has another key', {}, { key: 'k-2' }, 'fail'],
    ['has another message', {}, { body: { message: 'Hello ' } }, 'fail'],
    ['lost its conversation', { body: { conversation_id: 'c' } }, {}, 'fail'],
    ['lost its button', { body: button }, {}, 'fail'],
  ]
  test.for(cases)('%s', ([, first, again, is]) => {
    expect(retriesSameTurn(turns(first, again))).toMatchObject({ is })
  })

  test('may carry its key in another place', () => {
    const [first] = turns({})
    const [again] = turns({ body: { idempotency_key: 'k-1' } })
    expect(
      retriesSameTurn([first, { ...again, request: { ...again?.request, headers: [] } }] as never),
    ).toEqual({
      is: 'pass',
    })
  })

  test('is nobody’s duty', () => {
    expect(retriesSameTurn(turns({}))).toMatchObject({ is: 'not-applicable' })
    expect(retriesSameTurn([])).toMatchObject({ is: 'inconclusive' })
    expect(waitsBeforeRetry(turns({}), { ms: 25 })).toMatchObject({ is: 'not-applicable' })
  })
})

describe('a wait of 1000 ms, or of 1900 as Retry-After said,', () => {
  const cases: readonly [sentAt: readonly number[], is: string][] = [
    [[0, 2_010], 'pass'],
    [[0, 1_500], 'warn'],
    [[0, 60], 'fail'],
    [[0, 2_010, 2_020], 'fail'],
    [[0, 2_010, 9_000], 'pass'],
  ]
  test.for(cases)('is judged of turns at %j ms', ([moments, is]) => {
    const sent = turns(...moments.map((at) => ({ at, endedAt: at + 10 })))
    expect(waitsBeforeRetry(sent, { ms: 1_000, short: 1_900 })).toMatchObject({ is })
  })

  test('may begin with less where it grows each time, and is as long in the end', () => {
    const judged = (...at: readonly number[]) =>
      waitsBeforeRetry(turns(...at.map((at) => ({ at }))), { ms: 50, growing: true })
    expect(judged(0, 15, 45, 105)).toEqual({ is: 'pass' })
    for (const at of [
      [0, 15, 45],
      [0, 5, 15, 35],
      [0, 30, 50, 110],
      [0, 60, 70, 130],
    ])
      expect(judged(...at)).toMatchObject({ is: 'fail' })
  })

  test('counts from the end of the answer, not from the request', () => {
    const sent = turns({ at: 0, endedAt: 1_990 }, { at: 2_000 })
    expect(waitsBeforeRetry(sent, { ms: 1_000 })).toMatchObject({ is: 'fail', got: '10 ms' })
  })
})

test('what is not to be sent again is looked for in every later turn', () => {
  const isOther = (again: { request: { headers: readonly unknown[] } }, first: typeof again): boolean =>
    JSON.stringify(again.request.headers) !== JSON.stringify(first.request.headers)
  expect(notSentAgain(turns({}, {}, {}), 'a new key', isOther)).toEqual({ is: 'pass' })
  expect(notSentAgain(turns({}, {}, { key: 'k-2' }), 'a new key', isOther)).toMatchObject({ is: 'fail' })
  expect(notSentAgain([], 'a new key', isOther)).toMatchObject({ is: 'inconclusive' })
})
