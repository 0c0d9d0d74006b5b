import { expect, test } from 'vitest'
import type { Exchange } from '../../../wire/exchange.ts'
import { jsonAnswer } from '../../../assertions/exchange.testkit.ts'
import { attempt, secret } from '../../../assertions/inbound.testkit.ts'
import { sampleModel } from './sample-model.ts'

const created = { name: 'One', endpoint_url: 'https://example.com/one', custom_headers: { 'X-Own': 'old' } }

function asking(method: string, path: string, sent: object, status: number, answer: object): Exchange {
  const exchange = jsonAnswer(answer, { status })
  const body = Buffer.from(JSON.stringify(sent))
  return {
    ...exchange,
    request: { ...exchange.request, method, path: `/api/agents/a/webhooks${path}`, body },
  }
}

const create = asking('POST', '', created, 201, { id: 'w1', secret_key: secret })
const asked = asking('POST', '/w1/test', {}, 200, {})
const renewed = asking('PATCH', '/w1', { custom_headers: { 'X-Own': 'new' } }, 200, {})
const moved = asking('PATCH', '/w1', { endpoint_url: 'https://example.com/two' }, 200, {})

let count = 0
const came = (own: string, place = '/one'): Exchange =>
  attempt({ id: `test_${++count}`, place, headers: [['X-Own', own]] })

test.for<[what: string, broken: readonly string[], course: readonly Exchange[]]>([
  ['as they should be', [], [create, asked, came('old'), renewed, asked, came('new')]],
  [
    'with the headers of before an update',
    ['HOOK-UPDATE-HEADERS'],
    [create, asked, came('old'), renewed, asked, came('old')],
  ],
  [
    'to the endpoint of before an update',
    ['HOOK-UPDATE-ENDPOINT'],
    [create, asked, came('old'), moved, asked, came('old')],
  ],
  ['no longer', ['HOOK-TEST'], [create, asked, came('old'), asked]],
  [
    'late, so that nobody knows which is which',
    ['HOOK-TEST'],
    [create, asked, came('old'), asked, renewed, asked, came('old'), asked, came('new')],
  ],
  [
    'of an earlier webhook, late',
    [],
    [create, asked, came('old', '/earlier'), renewed, asked, came('old', '/earlier')],
  ],
])('samples that come %s', ([, broken, course]) => {
  const numbered = course.map((exchange, at) => ({ ...exchange, id: at + 1 }))
  const found = Object.entries(sampleModel).filter(
    ([, judge]) => judge(numbered, { dialect: {}, notes: {} }).is === 'fail',
  )
  expect(found.map(([clause]) => clause)).toEqual(broken)
})
