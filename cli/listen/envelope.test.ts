import { describe, expect, it } from 'vitest'
import type { Arrival } from '../../suites/inbound/inbox.ts'
import { envelopeOf } from './envelope.ts'

const body = { eventType: 'order.confirmed', chatbotId: 'a', timestamp: '2026-01-02T03:04:05Z', payload: {} }
const headers: Readonly<Record<string, string>> = {
  'Content-Type': 'application/json; charset=utf-8',
  'User-Agent': 'Service-Webhooks/1.0',
  'X-Service-Delivery-Id': 'whd_1',
  'x-service-event': 'order.confirmed',
}

interface Change {
  method?: string
  cut?: boolean
  raw?: Uint8Array
  body?: object
  headers?: Readonly<Record<string, string>>
}

function arrival({ method = 'POST', cut = false, raw, body: other, headers: more = {} }: Change): Arrival {
  const given = Object.entries({ ...headers, ...more }).filter(([, value]) => value !== '')
  return {
    number: 1,
    method,
    path: '/',
    headers: given,
    body: raw ?? new TextEncoder().encode(JSON.stringify({ ...body, ...other })),
    cut,
    at: 0,
    done: Promise.resolve({ status: 200, headers: [], body: '', at: 0, end: 'answered' }),
  }
}

describe('a delivery as the contract has it', () => {
  it.each<[string, Change]>([
    ['with nothing else', {}],
    [
      'that is a test',
      { headers: { 'X-Service-Delivery-Id': 'test_1' }, body: { payload: { _test: true } } },
    ],
    [
      'with a fraction of a second and an offset of nothing',
      { body: { timestamp: '2026-01-02T03:04:05.678+00:00' } },
    ],
    ['with further members and headers', { body: { more: 1 }, headers: { 'X-More': '1' } }],
  ])('%s is not complained of', (_, change) => {
    expect(envelopeOf(arrival(change))).toEqual({ event: 'order.confirmed', problems: [] })
  })
})

describe('what is malformed is said in words', () => {
  it.each<[string, Change]>([
    ['it is a GET, not a POST', { method: 'GET' }],
    ['Content-Type is text/plain', { headers: { 'Content-Type': 'text/plain' } }],
    ['User-Agent is missing', { headers: { 'User-Agent': '' } }],
    ['x-service-delivery-id is missing', { headers: { 'X-Service-Delivery-Id': '' } }],
    ['the delivery id starts with neither whd_ nor test_', { headers: { 'X-Service-Delivery-Id': 'd-1' } }],
    ['x-service-event is missing', { headers: { 'x-service-event': '' } }],
    ['x-service-event is leads.submit', { headers: { 'x-service-event': 'leads.submit' } }],
    ['the body is too large to be looked into', { cut: true }],
    ['the body is no JSON: it is empty', { raw: new Uint8Array() }],
    ['the body is no JSON: it is not UTF-8', { raw: new Uint8Array([0x22, 0xff, 0x22]) }],
    ['the body is no JSON object', { raw: new TextEncoder().encode('[]') }],
    ['chatbotId is missing', { body: { chatbotId: undefined } }],
    ['chatbotId is not a text', { body: { chatbotId: 7 } }],
    ['timestamp is not a time in UTC', { body: { timestamp: '2026-01-02T03:04:05+02:00' } }],
    ['timestamp is not a time in UTC', { body: { timestamp: '2026-13-02T03:04:05Z' } }],
    ['payload is not an object', { body: { payload: [] } }],
    ['_test stands at the top level', { body: { _test: true } }],
    ['eventType is missing', { body: { eventType: undefined } }],
  ])('%s', (words, change) => {
    expect(envelopeOf(arrival(change)).problems).toEqual([words])
  })

  it('names an event that there is none of', () => {
    const change = { body: { eventType: 'order.lost' }, headers: { 'x-service-event': 'order.lost' } }

    expect(envelopeOf(arrival(change))).toEqual({
      event: 'order.lost',
      problems: ['there is no event order.lost'],
    })
  })
})
