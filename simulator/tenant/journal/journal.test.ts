import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../json.ts'
import { createJournal } from './journal.ts'
import { bodyWithoutHeaderValues, redactedHeaders, redactKeys } from '../redacted.ts'

const request = (path: string) => ({ at: 0, method: 'POST', path, headers: [], body: new Uint8Array() })

describe('a journal', () => {
  test('keeps the latest entries in order and counts what it dropped', () => {
    const journal = createJournal(3)
    for (const path of ['/1', '/2', '/3', '/4', '/5']) journal.add(request(path))
    expect(journal.entries().map(({ id, path }) => `${id} ${path}`)).toEqual(['3 /3', '4 /4', '5 /5'])
    expect(journal.dropped).toBe(2)
  })

  test('lets the oldest go for the bytes of the newest, and never the newest itself', () => {
    const journal = createJournal(100, 'redacted', 10_000)
    const add = (path: string, body: number, answer: number) => {
      const entry = journal.add({ ...request(path), body: new Uint8Array(body) })
      entry.response.push({ at: 0, bytes: new Uint8Array(answer) })
      journal.end(entry, 'server')
    }
    const kept = () => journal.entries().map(({ path }) => path)
    for (const path of ['/1', '/2', '/3']) add(path, 1_000, 1_000)
    expect([kept(), journal.dropped]).toEqual([['/1', '/2', '/3'], 0])
    add('/4', 0, 5_000)
    expect([kept(), journal.dropped]).toEqual([['/3', '/4'], 2])
    add('/5', 20_000, 20_000)
    expect([kept(), journal.dropped]).toEqual([['/5'], 4])
    add('/6', 0, 0)
    expect([kept(), journal.dropped]).toEqual([['/6'], 5])
    journal.clear()
    add('/7', 0, 0)
    expect([kept(), journal.dropped]).toEqual([['/7'], 0])
  })
})

test('credentials are redacted in any casing, and nothing else is', () => {
  const headers = [
    ['AUTHORIZATION', 'Bearer sk-secret'],
    ['authorization', 'Basic secret'],
    ['Cookie', 'theme=dark; session=sess_abc'],
    ['X-Odd', 'sk-a, sess_b and whsec_c'],
    ['X-Other', 'shown'],
  ] as const
  expect(redactedHeaders(headers)).toEqual([
    ['AUTHORIZATION', '[redacted]'],
    ['authorization', '[redacted]'],
    ['Cookie', '[redacted]'],
    ['X-Odd', '[redacted], [redacted] and [redacted]'],
    ['X-Other', 'shown'],
  ])
  const keys = new Map([['sk-secret', { name: 'main' }]])
  const named = ['sk-secret', 'sk-a', 'sk-b', 'sk-a'].map((key) =>
    String(redactedHeaders(redactedHeaders([['authorization', `Bearer ${key}`]], keys))),
  )
  expect([named[0], new Set(named).size]).toEqual(['authorization,Bearer [[key:main]]', 3])
})

test.for([
  [
    '{"id":"wh_1","secret_key":"a \\"quoted\\" one","name":"n"}',
    '{"id":"wh_1","secret_key":"[redacted]","name":"n"}',
  ],
  ['{ "secret_key" : "short" }', '{ "secret_key" : "[redacted]" }'],
  ['{"secret":"whsec_0f"}', '{"secret":"[redacted]"}'],
  ['{"secret_key_preview":"****1234"}', '{"secret_key_preview":"****1234"}'],
  [
    '{ "webhooks": [{ "custom_headers": { "X-Key": "a {\\"} b", "__proto__": "c" } }] }',
    '{"webhooks":[{"custom_headers":{"X-Key":"[redacted]","__proto__":"[redacted]"}}]}',
  ],
  ['{"custom\\u005fheaders":["a"]}', '{"custom_headers":"[redacted]"}'],
  ['{"custom_headers":{"X-Key":"a"', '[redacted: not JSON]'],
] as const)('what is secret of a webhook is taken out of %s', ([body, kept]) => {
  expect(redactKeys(body)).toBe(kept)
})

test('of a body that is encoded without the values of headers, the same is kept', () => {
  const listed: JsonObject = {
    webhooks: [
      { name: 'a sk-abc', custom_headers: { 'X-Key': 'a "b"', 'sk-def': 'c' }, secret_key: 'whsec_a' },
      { custom_headers: 'none', events: ['message.sent'], is_active: true, filter: null },
    ],
  }
  const [whole, shown] = [listed, bodyWithoutHeaderValues(listed)].map((body) => JSON.stringify(body))
  expect(shown).not.toMatch(/"a \\"|"c"|"none"/)
  expect(redactKeys(shown ?? '')).toBe(redactKeys(whole ?? ''))
})
