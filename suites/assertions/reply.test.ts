import { describe, expect, test } from 'vitest'
import type { Exchange } from '../wire/exchange.ts'
import {
  answer,
  done,
  frames,
  jsonAnswer,
  reply,
  streamAnswer,
  token,
  replayHeader,
} from './exchange.testkit.ts'
import { canonical, events, field, fieldOf, fields, inForm, replayOf, sameField } from './reply.ts'

const json = ['content-type', 'application/json'] as const
const again = (body: unknown = reply): Exchange =>
  jsonAnswer(body, { headers: [json, [replayHeader, 'true']] })
const refused = jsonAnswer(reply, { status: 400 })
const streamed = streamAnswer(frames(token('Hello'), done, { ...done, response: 'More' }))

describe('final fields', () => {
  test.for<readonly [string, Exchange, unknown]>([
    ['the object of a JSON reply', jsonAnswer(reply), reply],
    ['the first `done` of a stream', streamed, done],
    ['nothing without a `done`', streamAnswer(frames(token('Hello'))), null],
    ['nothing in a refusal', refused, null],
    ['nothing in a list', jsonAnswer([reply]), null],
  ])('are %s', ([, exchange, expected]) => {
    expect(fields(exchange)).toEqual(expected)
  })

  test('are read one by one, where there are any', () => {
    expect(fieldOf(jsonAnswer(reply), 'response')).toBe('Hello there')
    expect(fieldOf(refused, 'response')).toBeUndefined()
  })

  test('come among events, each an object', () => {
    const mixed = streamAnswer(`data: 7\n\n${frames(token('Hello'))}data: [1]\n\n${frames(done)}`)
    expect(events(mixed)).toEqual([token('Hello'), done])
    expect(events(mixed, 'token')).toEqual([token('Hello')])
  })
})

describe('a final field', () => {
  const value = {
    text: 'a',
    empty: '',
    number: 0,
    id: reply.conversation_id,
    object: {},
    list: [],
    none: null,
  }
  const kinds = ['string', 'filled string', 'empty string', 'number', 'uuid', 'object', 'absent'] as const

  test.for<readonly [string, readonly string[]]>([
    ['text', ['string', 'filled string']],
    ['empty', ['string', 'empty string']],
    ['number', ['number']],
    ['id', ['string', 'filled string', 'uuid']],
    ['object', ['object']],
    ['list', []],
    ['none', []],
    ['missing', ['absent']],
  ])('%s is of the kinds %j', ([name, expected]) => {
    const found = kinds.filter((kind) => field(jsonAnswer(value), name, kind).is === 'pass')
    expect(found).toEqual(expected)
  })

  test.for([
    ['x0b0e7a52-7f0e-4b7c-9a3e-0d9b7c1c4f11', 'fail'],
    ['0b0e7a52-7f0e-4b7c-9a3e-0d9b7c1c4f11x', 'fail'],
    ['0B0E7A52-7F0E-4B7C-9A3E-0D9B7C1C4F11', 'pass'],
  ] as const)('%s as a UUID', ([id, expected]) => {
    expect(field(jsonAnswer({ id }), 'id', 'uuid').is).toBe(expected)
  })

  test('is shown as it came', () => {
    const said = (name: string) => field(jsonAnswer(value), name, 'uuid')
    expect(said('number')).toMatchObject({ expected: '`number`: uuid', got: '`number`: 0' })
    expect(said('missing')).toMatchObject({ got: 'no `missing`' })
    expect(field(refused, 'text', 'string').is).toBe('inconclusive')
  })
})

describe('of two replies', () => {
  test('a field is the same by its value', () => {
    const [one, two] = [jsonAnswer({ a: { b: 1, c: [2] } }), jsonAnswer({ a: { c: [2], b: 1 } })]
    expect(sameField(one, two, 'a').is).toBe('pass')
    expect(sameField(one, jsonAnswer({}), 'a')).toMatchObject({
      expected: '`a`: {"b":1,"c":[2]}',
      got: '`a`: none',
    })
    expect(sameField(refused, two, 'a').is).toBe('inconclusive')
    expect(sameField(one, refused, 'a').is).toBe('inconclusive')
  })

  test.for<readonly [unknown, string]>([
    [[2, [1, 'a']], '[2,[1,"a"]]'],
    [{ b: null, a: { d: 1, c: true } }, '{"a":{"c":true,"d":1},"b":null}'],
    [undefined, 'none'],
  ])('%j is written in one way', ([value, expected]) => {
    expect(canonical(value)).toBe(expected)
  })

  test.for<readonly [string, Exchange, object]>([
    ['the marked reply', again(), { is: 'pass' }],
    ['a refusal', refused, { is: 'fail', expected: 'status 200' }],
    ['a limited one', jsonAnswer({}, { status: 429 }), { is: 'inconclusive' }],
    [
      'the reply without a mark',
      jsonAnswer(reply),
      { expected: `header ${replayHeader}`, got: 'no such header' },
    ],
    ['a mark alone', again([]), { expected: 'the final fields of the original', got: '[]' }],
    ['another text', again({ ...reply, response: 'no' }), { expected: '`response`: "Hello there"' }],
    ['another conversation', again({ ...reply, conversation_id: 'c' }), { got: '`conversation_id`: "c"' }],
    ['other credits', again({ ...reply, credits_used: 9 }), { is: 'pass' }],
  ])('the other is a replay, or not: %s', ([, other, expected]) => {
    expect(replayOf(jsonAnswer(reply), other)).toMatchObject(expected)
  })
})

test.for<readonly [Parameters<typeof inForm>[1], string, Exchange, object]>([
  ['json', 'an object', jsonAnswer(reply), { is: 'pass' }],
  ['json', 'a list', jsonAnswer([7]), { expected: 'one JSON object', got: 'application/json: [7]' }],
  ['json', 'an object without a type', answer('{}'), { is: 'warn', got: 'no content type' }],
  ['json', 'a stream', streamAnswer('data: 1\n\n'), { is: 'fail' }],
  ['stream', 'a stream', streamed, { is: 'pass' }],
  ['stream', 'an object', jsonAnswer(reply), { is: 'fail', expected: 'text/event-stream' }],
  ['stream', 'no answer', { ...streamed, response: null }, { is: 'inconclusive' }],
])('in the form %s comes %s', ([form, , exchange, expected]) => {
  expect(inForm(exchange, form)).toMatchObject(expected)
})
