import { expect, test } from 'vitest'
import type { Exchange } from '../../../wire/exchange.ts'
import { jsonAnswer } from '../../../assertions/exchange.testkit.ts'
import { recordModel } from './webhook-model.ts'

const collection = '/api/agents/a/webhooks'
const body = { name: 'One', endpoint_url: 'https://example.com/1', events: ['payment.rejected'] }
const first = { id: 'w1', ...body, is_active: true }

type Line = readonly [method: string, path: string, sent: object | null, status: number, answer: object]

/** A sequence of requests and responses. */
function course(...lines: readonly Line[]): readonly Exchange[] {
  return lines.map(([method, path, sent, status, answer], at) => {
    const exchange = jsonAnswer(answer, { status })
    const bytes = Buffer.from(sent === null ? '' : JSON.stringify(sent))
    return {
      ...exchange,
      id: at + 1,
      request: { ...exchange.request, method, path: collection + path, body: bytes },
    }
  })
}

const create: Line = ['POST', '', body, 201, { id: 'w1', secret_key: 'secret' }]
const update = (sent: object): Line => ['PATCH', '/w1', sent, 200, {}]
const remove: Line = ['DELETE', '/w1', null, 204, {}]
const list = (...webhooks: readonly object[]): Line => ['GET', '', null, 200, { webhooks }]
/** Two webhooks, of which the second is removed. */
const removedBeside: readonly Line[] = [
  create,
  ['POST', '', { ...body, name: 'Other' }, 201, { id: 'w2', secret_key: 'other' }],
  list(first, { ...first, id: 'w2', name: 'Other' }),
  ['DELETE', '/w2', null, 204, {}],
  list(first),
]

test.for<[what: string, broken: readonly string[], lines: readonly Line[]]>([
  [
    'is as it has to be',
    [],
    [create, list(first), update({ name: 'Two' }), list({ ...first, name: 'Two' }), remove, list()],
  ],
  ['is another from the beginning', ['HOOK-LIST-AS-SENT'], [create, list({ ...first, name: 'Other' })]],
  [
    'has not taken an update',
    ['HOOK-UPDATE-NAME'],
    [create, list(first), update({ name: 'Two' }), list(first)],
  ],
  [
    'has changed with what was not named',
    ['HOOK-UPDATE-REST'],
    [create, list(first), update({ name: 'Two' }), list({ ...first, name: 'Two', is_active: false })],
  ],
  [
    'has changed without an update',
    ['HOOK-LIST-AS-SENT'],
    [create, list(first), list({ ...first, events: [] })],
  ],
  ['is there when it is gone', ['HOOK-DELETE'], [create, list(first), remove, list(), list(first)]],
  ['was never listed, and does not come', [], [create, remove, list()]],
  [
    'refused an update, and is as before',
    [],
    [create, list(first), ['PATCH', '/w1', { name: 'Two' }, 400, {}], list(first)],
  ],
  [
    'changed with the refused update of a removed one',
    ['HOOK-UPDATE-REST'],
    [...removedBeside, ['PATCH', '/w2', { name: 'Two' }, 404, {}], list({ ...first, name: 'Two' })],
  ],
])('a webhook that %s', ([, broken, lines]) => {
  const found = Object.entries(recordModel).filter(
    ([, judge]) => judge(course(...lines), { dialect: {}, notes: {} }).is === 'fail',
  )
  expect(found.map(([clause]) => clause)).toEqual(broken)
})

test('the refused update of a removed webhook leaves the others judged', () => {
  const lines = course(...removedBeside, ['PATCH', '/w2', { name: 'Two' }, 404, {}], list(first))
  expect(recordModel['HOOK-UPDATE-REST'](lines, { dialect: {}, notes: {} })).toMatchObject({ is: 'pass' })
})
