import { describe, expect, test } from 'vitest'
import {
  answered,
  code,
  codesOf,
  flatError,
  header,
  isJson,
  jsonTyped,
  noServerError,
  refusal,
  refused,
  refusedByJson,
  shown,
  status,
  statusOf,
  unmarked,
} from './answer.ts'
import { answer, jsonAnswer, reply, replayHeader } from './exchange.testkit.ts'

const json = ['content-type', 'application/json'] as const
const marked = (value: string) =>
  jsonAnswer(reply, { headers: [json, ['X-Service-Idempotent-Replay', value]] })

test.for([
  ['has no header for it', jsonAnswer(reply), 'pass'],
  ['denies it', marked('false'), 'pass'],
  ['says so', marked('true'), 'fail'],
] as const)('whether an answer passes as no replay: it %s', ([, exchange, expected]) => {
  expect(unmarked(exchange).is).toBe(expected)
})

const coded = (body: unknown, codeAt?: string) => ({
  ...jsonAnswer(body, { status: 409 }),
  ...(codeAt === undefined ? {} : { codeAt }),
})
const uncertain = 'OUTCOME_UNCERTAIN'
const sentence = `${uncertain}: ask later`

test.for([
  ['a text of any name', coded({ error: 'no', reason: uncertain }), [uncertain]],
  ['a sentence', coded({ error: sentence }), [uncertain]],
  ['a text within', coded({ error: 'no', details: [{ code: uncertain }] }), [uncertain]],
  ['the declared text', coded({ error: 'no', code: uncertain }, '/code'), [uncertain]],
  ['the declared sentence', coded({ error: sentence }, '/error'), [uncertain]],
  [
    'the declared text within',
    coded({ error: 'no', details: [{ code: uncertain }] }, '/details/0/code'),
    [uncertain],
  ],
  ['no text but the declared one', coded({ error: uncertain, code: 'NOT_THIS' }, '/code'), ['NOT_THIS']],
  ['nothing where the declared one is missing', coded({ error: uncertain }, '/code'), []],
  ['nothing where it is no text', coded({ error: 'no', code: [uncertain] }, '/code'), []],
] as const)('a code is read from %s', ([, exchange, expected]) => {
  expect(codesOf(exchange)).toEqual(expected)
})

test('a code that is not where the target says is shown with the place', () => {
  expect(code(coded({ error: uncertain }, '/code'), uncertain)).toMatchObject({
    is: 'fail',
    expected: `the code ${uncertain} at /code`,
  })
})

const plainly = (status: number, made: object = {}) => jsonAnswer({ error: 'no' }, { status, ...made })
const unanswered = { ...plainly(200), response: null }
const metItself = { ...marked('true'), resent: true as const }
const stillRunning = {
  ...plainly(409),
  ...jsonAnswer({ error: 'REQUEST_IN_PROGRESS' }),
  resent: true as const,
}

describe('an answer', () => {
  test.for([
    [200, 'pass'],
    [404, 'pass'],
    [500, 'pass'],
    [402, 'inconclusive'],
    [429, 'inconclusive'],
    [502, 'inconclusive'],
    [503, 'inconclusive'],
    [504, 'inconclusive'],
  ] as const)('of %i says something, or nothing unless it was the point', ([got, expected]) => {
    expect(answered(plainly(got)).is).toBe(expected)
    expect(answered(plainly(got), got).is).toBe('pass')
  })

  test.for([
    ['got no whole answer: reset, made by hand', plainly(200, { failure: 'reset' })],
    ['got no answer', unanswered],
    ['went out twice, because its connection was closed, and met itself', metItself],
    ['went out twice, because its connection was closed, and met itself', stillRunning],
    ['was answered 429, which is not the point here', plainly(429)],
    ['got 502, which a gateway sends in place of the service', plainly(502)],
  ] as const)('that %s is none', ([words, exchange]) => {
    expect(answered(exchange)).toEqual({ is: 'inconclusive', because: `\`turn\` ${words}` })
  })

  test('that went out twice and was answered for the first time is one', () => {
    expect(answered({ ...plainly(400), resent: true }).is).toBe('pass')
    expect(answered(marked('true')).is).toBe('pass')
  })
})

describe('a status', () => {
  test('is one of those that are expected', () => {
    expect(status(plainly(404), 404).is).toBe('pass')
    expect(status(plainly(403), 404, 403).is).toBe('pass')
    expect(status(plainly(429), 429).is).toBe('pass')
    expect(status(plainly(429), 404).is).toBe('inconclusive')
    expect(status(plainly(400), 404, 403)).toMatchObject({
      is: 'fail',
      expected: 'status 404 or 403',
      got: 'status 400',
    })
  })

  test.for([
    [200, 'fail', 'pass'],
    [399, 'fail', 'pass'],
    [400, 'pass', 'pass'],
    [402, 'pass', 'inconclusive'],
    [499, 'pass', 'pass'],
    [500, 'fail', 'fail'],
  ] as const)('of %i refuses, and is no server error', ([got, asRefusal, asNoError]) => {
    expect(refused(plainly(got)).is).toBe(asRefusal)
    expect(noServerError(plainly(got)).is).toBe(asNoError)
  })

  test('refuses with its code, where one is named', () => {
    const conflict = jsonAnswer({ error: 'IDEMPOTENCY_CONFLICT' }, { status: 409 })
    expect(refusal(plainly(409), 409).is).toBe('pass')
    expect(refusal(conflict, 409, 'IDEMPOTENCY_CONFLICT').is).toBe('pass')
    expect(refusal(plainly(409), 409, 'IDEMPOTENCY_CONFLICT').is).toBe('fail')
    expect(refusal(conflict, 400, 'IDEMPOTENCY_CONFLICT')).toMatchObject({ expected: 'status 400' })
  })
})

describe('a header', () => {
  test.for([
    ['once', [['x-a', 'b']], 'pass', ''],
    ['in another casing', [['X-A', 'b']], 'pass', ''],
    ['with another value', [['x-a', 'B']], 'fail', 'B'],
    [
      'twice',
      [
        ['x-a', 'b'],
        ['x-a', 'b'],
      ],
      'fail',
      'b | b',
    ],
    ['not at all', [], 'fail', 'no such header'],
  ] as const)('that stands there %s', ([, headers, is, got]) => {
    const judged = header(jsonAnswer(reply, { headers }), 'x-a', 'b')
    expect(judged).toMatchObject(is === 'pass' ? { is } : { is, expected: 'header x-a: b', got })
  })
})

describe('a body', () => {
  test.for([
    ['application/json', true],
    ['Application/JSON; charset=utf-8', true],
    ['application/problem+json', true],
    ['application/jsonp', false],
    ['text/json', false],
  ] as const)('of type %s is JSON: %s', ([type, expected]) => {
    expect(isJson(answer('{}', { headers: [['content-type', type]] }))).toBe(expected)
  })

  test('without a type may be JSON, which is a warning', () => {
    expect(isJson(answer('{}'))).toBe(true)
    expect(jsonTyped(answer('{}')).is).toBe('warn')
    expect(jsonTyped(answer('{}', { headers: [['content-type', 'text/html']] })).is).toBe('fail')
  })

  test.for([
    [{ error: 'no' }, 'pass', ''],
    [{ error: '' }, 'fail', '""'],
    [{ error: { code: 'NO' } }, 'fail', '{"code":"NO"}'],
    [{}, 'fail', 'none'],
    [['no'], 'fail', '["no"]'],
    [null, 'fail', 'null'],
  ] as const)('%j as an error', ([body, is, got]) => {
    expect(flatError(jsonAnswer(body))).toMatchObject(is === 'pass' ? { is } : { is, got })
  })

  test('is one JSON object', () => {
    expect(refusedByJson(jsonAnswer({})).is).toBe('pass')
    expect(refusedByJson(jsonAnswer([{}])).is).toBe('fail')
    expect(refusedByJson(answer('data: {}\n\n')).is).toBe('fail')
  })

  test('is shown by its beginning', () => {
    expect(shown(answer(''))).toBe('an empty body')
    expect(shown(unanswered)).toBe('an empty body')
    expect(shown(answer('abc'))).toBe('abc')
    expect(shown(answer('x'.repeat(300)))).toBe(`${'x'.repeat(200)}…`)
    expect(shown(answer('abcdefgh'), 4)).toBe('abcd…')
  })
})

test.for([
  ['A_B', ['A_B']],
  ['X9_Y8_Z7', ['X9_Y8_Z7']],
  ['one A_B and C_D', ['A_B', 'C_D']],
  ['ABC', []],
  ['a_b', []],
  ['_A', []],
  ['xA_B', []],
  ['A_Bx', []],
] as const)('words in capitals of %j', ([error, codes]) => {
  expect(codesOf(coded({ error }))).toEqual(codes)
})

test('a code that is missing is looked for at the top, where the target says so', () => {
  expect(code(coded({ error: 'no' }, ''), uncertain)).toMatchObject({
    expected: `the code ${uncertain} at the top`,
  })
})

test('each value of the mark of a replay is shown', () => {
  const twice = jsonAnswer(reply, { headers: [json, [replayHeader, 'false'], [replayHeader, 'true']] })
  expect(unmarked(twice)).toMatchObject({ got: 'false | true' })
})

test('what was not answered has no status', () => {
  expect([statusOf(plainly(404)), statusOf(unanswered)]).toEqual([404, 0])
})
