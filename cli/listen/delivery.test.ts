import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Exchange, Header } from '../../suites/wire/exchange.ts'
import { listenedDelivery, type ListenedDelivery, knownIds } from './delivery.ts'

const secret = 'whsec_abc'
const members = {
  eventType: 'order.confirmed',
  chatbotId: 'a',
  timestamp: '2026-01-02T03:04:05Z',
  payload: {},
}
const headers: Readonly<Record<string, string>> = {
  'Content-Type': 'application/json; charset=utf-8',
  'User-Agent': 'Service-Webhooks/1.0',
  'X-Service-Delivery-Id': 'whd_1',
  'x-service-event': 'order.confirmed',
}

interface Change {
  method?: string
  raw?: string
  body?: object
  /** An empty one is left out. */
  headers?: Readonly<Record<string, string>>
}

function read(
  { method = 'POST', raw, body, headers: more = {} }: Change,
  key: string | null = null,
): ListenedDelivery {
  const text = raw ?? JSON.stringify({ ...members, ...body })
  const sent = Object.entries({ ...headers, ...more }).filter(
    (header): header is [string, string] & Header => header[1] !== '',
  )
  const exchange: Exchange = {
    id: 7,
    scenario: 'listen',
    name: 'delivery',
    request: { method, path: '/', headers: sent, body: new TextEncoder().encode(text), principal: null },
    sentAt: 0,
    endedAt: 0,
    response: null,
    failure: null,
    inbound: { place: '/', targetAt: 0 },
  }
  return listenedDelivery(exchange, { at: '2026-01-02T03:04:05.678Z', secret: key, known: knownIds(10) })
}

it.each<[string, Change]>([
  ['with nothing else', {}],
  ['that is a test', { headers: { 'X-Service-Delivery-Id': 'test_1' }, body: { payload: { _test: true } } }],
  ['with further members and headers', { body: { more: 1 }, headers: { 'X-More': '1' } }],
])('a delivery as the contract has it %s is not complained of', (_, change) => {
  expect(read(change)).toMatchObject({ event: 'order.confirmed', problems: [] })
})

it.each<[words: string, Change]>([
  ['method POST, got GET', { method: 'GET', raw: '', headers: { 'Content-Type': '' } }],
  ['content type application/json, got text/plain', { headers: { 'Content-Type': 'text/plain' } }],
  ['Service-Webhooks/1.0, got no such header', { headers: { 'User-Agent': '' } }],
  ['begins with whd_, got none', { headers: { 'X-Service-Delivery-Id': '' } }],
  ['begins with whd_, got d-1', { headers: { 'X-Service-Delivery-Id': 'd-1' } }],
  ['x-service-event: order.confirmed, got leads.submit', { headers: { 'x-service-event': 'leads.submit' } }],
  ['a body that is one JSON object, got it is empty', { raw: '' }],
  ['one JSON object, got []', { raw: '[]' }],
  ['UTC, got "yesterday"', { body: { timestamp: 'yesterday' } }],
  ['an object `payload`, got []', { body: { payload: [] } }],
  ['no mark of a test beside `payload`, got _test', { body: { _test: true } }],
  ['got "order.lost"', { body: { eventType: 'order.lost' }, headers: { 'x-service-event': 'order.lost' } }],
])('what is malformed is said in words, once %s', (words, change) => {
  expect(read(change).problems).toEqual([expect.stringContaining(words)])
})

describe('the signature', () => {
  const text = '{"eventType": "order.confirmed"}'
  const signed = (key: string, over = text): string =>
    `sha256=${createHmac('sha256', key).update(over).digest('hex')}`

  it.each([
    ['ok', signed(secret), secret, null],
    ['not checked', signed(secret), null, null],
    ['missing', '', secret, null],
    ['wrong', signed('another'), secret, 'matches no known mistake: probably another secret'],
    ['wrong', 'sha256=', secret, 'got a digest'],
    ['wrong', signed('abc'), secret, 'the part of the secret after its prefix'],
    [
      'wrong',
      signed(secret, '{"eventType":"order.confirmed"}'),
      secret,
      'over the body parsed and written again',
    ],
  ])('is %s for %s with %s', (signature, value, key, why) => {
    const delivery = read({ raw: text, headers: { 'x-service-signature': value } }, key)

    expect(delivery.signature).toBe(signature)
    expect(String(delivery.signatureProblem)).toContain(String(why))
  })
})
