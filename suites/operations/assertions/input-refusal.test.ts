import { expect, test } from 'vitest'
import type { Judgement } from '../../scenario/judgement.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'
import { notRefusedAsInvalid, isRefusedAs, reverted } from './input-refusal.ts'

const completed = { status: 'completed', data: {} }
const sent = (input: unknown, body: unknown, status = 200): Exchange =>
  jsonAnswer(body, { status, request: { input } })

const accepted = sent({ text: 'a' }, completed)
const invalid = sent({ text: 7 }, { error: 'INVALID_INPUT' }, 400)
const refused = (input: unknown) => sent(input, { error: 'INVALID_INPUT' }, 400)

test.for<[string, Exchange, Judgement['is']]>([
  ['taken', sent({ text: 'b' }, completed), 'pass'],
  ['taken as a task', sent({ text: 'b' }, { status: 'accepted' }, 202), 'pass'],
  [
    'failed for another reason',
    sent({ text: 'b' }, { status: 'failed', error: { code: 'FULL' } }, 422),
    'pass',
  ],
  ['not found', sent({ text: 'b' }, { error: 'NOT_FOUND_HERE' }, 404), 'pass'],
  ['refused as invalid for one value', refused({ text: 'b' }), 'warn'],
  ['refused as invalid for one member more', refused({ text: 'a', tone: 'x' }), 'warn'],
  ['refused as invalid for one value within', refused({ text: 'a', author: { name: 'Ida' } }), 'warn'],
  ['refused as invalid for two values', refused({ text: 'b', tone: 'x' }), 'inconclusive'],
  ['refused for two values within', refused({ text: 'a', hours: { from: 2, to: 1 } }), 'inconclusive'],
  ['answered by a server error', sent({ text: 'b' }, {}, 500), 'warn'],
  ['limited', sent({ text: 'b' }, {}, 429), 'inconclusive'],
])('an input that fits is %s', ([, exchange, is]) => {
  expect(notRefusedAsInvalid(exchange, { accepted, invalid, shrunk: [] }).is).toBe(is)
})

test('the smallest input that is still refused is shown', () => {
  const drawn = refused({ text: 'b', tone: 'x', tags: [] })
  const shrunk = [refused({ text: 'a', tone: 'x', tags: [] }), sent({ text: 'a', tags: [] }, completed)]
  const smaller = refused({ text: 'a', tone: 'x' })
  const judged = notRefusedAsInvalid(drawn, { accepted, invalid, shrunk: [...shrunk, smaller] })
  expect(judged).toMatchObject({ is: 'warn', exchange: smaller.id })
})

test('without something accepted and something refused nothing is said', () => {
  const exchange = refused({ text: 'b' })
  expect(notRefusedAsInvalid(exchange, { accepted: undefined, invalid, shrunk: [] }).is).toBe('inconclusive')
  expect(notRefusedAsInvalid(exchange, { accepted, invalid: undefined, shrunk: [] }).is).toBe('inconclusive')
  // A target that accepts anything refused nothing, so no refusal matches.
  expect(isRefusedAs(accepted, exchange)).toBe(false)
})

test.for([
  ['text', { tone: 'x', text: 'a' }],
  ['tone', { text: 'b' }],
  ['none', null],
] as const)('%s is made what it was', ([name, expected]) => {
  expect(reverted({ text: 'b', tone: 'x' }, { text: 'a' }, name)).toEqual(expected)
})
