import { expect, test } from 'vitest'
import { code, codesOf, unmarked } from './answer.ts'
import { jsonAnswer, reply } from './exchange.double.ts'

const json = ['content-type', 'application/json'] as const
const marked = (value: string) =>
  jsonAnswer(reply, { headers: [json, ['X-Service-Idempotent-Replay', value]] })

test.for([
  ['has no header for it', jsonAnswer(reply), 'pass'],
  ['denies it', marked('false'), 'pass'],
  ['says so', marked('true'), 'broken'],
] as const)('whether an answer passes as no replay: it %s', ([, exchange, expected]) => {
  expect(unmarked(exchange).is).toBe(expected)
})

const refusal = (body: unknown, codeAt?: string) => ({
  ...jsonAnswer(body, { status: 409 }),
  ...(codeAt === undefined ? {} : { codeAt }),
})
const uncertain = 'OUTCOME_UNCERTAIN'
const sentence = `${uncertain}: ask later`

test.for([
  ['a text of any name', refusal({ error: 'no', reason: uncertain }), [uncertain]],
  ['a sentence', refusal({ error: sentence }), [uncertain]],
  ['a text within', refusal({ error: 'no', details: [{ code: uncertain }] }), [uncertain]],
  ['the declared text', refusal({ error: 'no', code: uncertain }, '/code'), [uncertain]],
  ['the declared sentence', refusal({ error: sentence }, '/error'), [uncertain]],
  [
    'the declared text within',
    refusal({ error: 'no', details: [{ code: uncertain }] }, '/details/0/code'),
    [uncertain],
  ],
  ['no text but the declared one', refusal({ error: uncertain, code: 'NOT_THIS' }, '/code'), ['NOT_THIS']],
  ['nothing where the declared one is missing', refusal({ error: uncertain }, '/code'), []],
  ['nothing where it is no text', refusal({ error: 'no', code: [uncertain] }, '/code'), []],
] as const)('a code is read from %s', ([, exchange, expected]) => {
  expect(codesOf(exchange)).toEqual(expected)
})

test('a code that is not where the target says is shown with the place', () => {
  expect(code(refusal({ error: uncertain }, '/code'), uncertain)).toMatchObject({
    is: 'broken',
    expected: `the code ${uncertain} at /code`,
  })
})
