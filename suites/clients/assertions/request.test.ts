import { expect, test } from 'vitest'
import type { Exchange } from '../../wire/exchange.ts'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'
import {
  addressesSeen,
  serviceRequests,
  idempotencyKeysOf,
  apiKeyOf,
  lastSegment,
  differentKeys,
  sameKeyThroughout,
} from './request.ts'

type Sent = Partial<Pick<Exchange['request'], 'headers' | 'path'>> & { body?: unknown }

function sent({
  headers = [],
  path = '/api/v1/operation-executions/notes.create',
  body = {},
}: Sent): Exchange {
  const made = jsonAnswer({}, { request: body, requestHeaders: headers })
  return { ...made, request: { ...made.request, path } }
}

const inHeader = (value: string): Exchange => sent({ headers: [['Idempotency-Key', value]] })

test.for([
  ['in its header', inHeader('lantern')],
  ['in the other header', sent({ headers: [['x-idempotency-key', 'lantern']] })],
  ['in both', sent({ headers: [['x-idempotency-key', 'lantern']], body: { idempotency_key: 'lantern' } })],
  ['beside the input', sent({ body: { input: {}, idempotencyKey: 'lantern' } })],
  ['in an envelope', sent({ body: { meta: { 'idempotency-key': 'lantern' } } })],
  ['in the query', sent({ path: '/api/v1/operation-executions/notes.create?idempotency_key=lantern' })],
  ['where nobody looks for one', sent({ headers: [['X-Request', 'write:lantern']] })],
] as const)('an idempotency key is found %s', ([, request]) => {
  expect(idempotencyKeysOf(request, ['lantern', 'anchor'])).toEqual(['lantern'])
})

test('a key that was not asked for is found where keys belong, and nowhere else', () => {
  expect(idempotencyKeysOf(inHeader('of-its-own'), ['lantern'])).toEqual(['of-its-own'])
  expect(idempotencyKeysOf(sent({ headers: [['X-Request', 'of-its-own']] }), ['lantern'])).toEqual([])
})

test.for([
  ['the same key', [inHeader('a'), inHeader('a')], 'pass'],
  ['one request', [inHeader('a')], 'pass'],
  ['another key', [inHeader('a'), inHeader('b')], 'fail'],
  ['a key that got lost', [inHeader('a'), sent({})], 'fail'],
  ['no key at all', [sent({}), sent({})], 'fail'],
  ['nothing sent', [], 'inconclusive'],
] as const)('one piece of work under %s', ([, requests, is]) => {
  expect(sameKeyThroughout(requests).is).toBe(is)
})

test('other work has a key of its own', () => {
  expect(differentKeys([inHeader('b')], [inHeader('a')], []).is).toBe('pass')
  expect(differentKeys([inHeader('a')], [inHeader('b'), inHeader('a')], []).is).toBe('fail')
  expect(differentKeys([], [inHeader('a')], []).is).toBe('inconclusive')
})

test.for([
  ['Bearer sk-1', 'sk-1'],
  ['bearer  sk-1', 'sk-1'],
  ['Basic c2stMQ==', ''],
  ['Bearer', ''],
] as const)('the API key of Authorization: %s', ([value, key]) => {
  expect(apiKeyOf(sent({ headers: [['Authorization', value]] }))).toBe(key)
})

test.for([
  ['/api/v1/tasks/task_1', 'task_1'],
  ['/api/v1/tasks/task%5F1?full=1', 'task_1'],
  ['/api/v1/tasks/%', '%'],
] as const)('the last part of %s is %s', ([path, name]) => {
  expect(lastSegment(sent({ path }))).toBe(name)
})

test.for([
  ['GET', '/api/v1/operations', {}, true],
  ['POST', '/elsewhere', {}, true],
  ['GET', '/', { authorization: 'Bearer sk-1' }, true],
  ['GET', '/', {}, false],
  ['HEAD', '/api/v1/operations', {}, false],
  ['OPTIONS', '/api/v1/chat/agent', {}, false],
] as const)('%s %s with %j asks for something: %s', ([method, path, headers, asks]) => {
  const made = sent({ path, headers: Object.entries(headers) })
  expect(serviceRequests([{ ...made, request: { ...made.request, method } }]).length > 0).toBe(asks)
})

test('an id in an address is recorded as it was sent, and never wrong', () => {
  const asItIs = sent({ path: '/api/v1/chat/harbour/north' })
  expect(addressesSeen({ 'harbour/north': [asItIs], 'hafen süd': [] })).toEqual({
    is: 'observed',
    value: 'id "harbour/north" → /api/v1/chat/harbour/north; id "hafen süd" → no request',
  })
})
