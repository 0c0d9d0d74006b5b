import { expect, test } from 'vitest'
import { identifiersOf } from '../../../spec/identifiers.ts'
import { jsonAnswer, reply } from '../../assertions/exchange.testkit.ts'
import { attempt } from '../../assertions/inbound.testkit.ts'
import type { Exchange, Header } from '../../wire/exchange.ts'
import { otherVendor, vendorAdvice } from './vendor-seen.ts'

const { replayHeader, eventHeader, signatureHeader, userAgent } = identifiersOf('acme')
const marked = (name: string): Exchange => jsonAnswer(reply, { headers: [[name, 'true']] })
const posted = (...headers: readonly Header[]): Exchange => {
  const made = attempt({})
  return { ...made, request: { ...made.request, headers } }
}
const delivery = posted([eventHeader, 'leads.submit'], [signatureHeader, 'x'], ['User-Agent', userAgent])

test.for<[string, readonly Exchange[], 'settled' | null | { word: string; delivered: boolean }]>([
  ['nothing seen', [marked('X-Replay')], null],
  ["the contract's own", [marked('x-service-idempotent-replay')], 'settled'],
  ['another word in replies', [marked(replayHeader)], { word: 'acme', delivered: false }],
  ['another word in deliveries', [delivery], { word: 'acme', delivered: true }],
  ['the same in both', [marked(replayHeader), delivery], { word: 'acme', delivered: true }],
  ['a misspelt one is none', [marked(`${replayHeader}ed`), delivery], { word: 'acme', delivered: true }],
  ['two words', [marked('X-Rival-Idempotent-Replay'), delivery], 'settled'],
  [
    'a custom header beside that of the service',
    [posted([eventHeader, 'a'], ['x-service-event', 'forged'], ['user-agent', userAgent])],
    { word: 'acme', delivered: true },
  ],
])('%s', ([, exchanges, expected]) => {
  const seen = otherVendor(exchanges, {})
  const shown = typeof seen === 'object' && seen ? { word: seen.word, delivered: seen.delivered } : seen
  expect(shown).toEqual(expected)
})

test('a target that states its vendor is judged by it, and one that overrides a name by that name', () => {
  expect(otherVendor([delivery], { vendor: 'rival' })).toBe('settled')
  const identifiers = identifiersOf('service', { replayHeader })
  expect(otherVendor([marked(replayHeader)], { identifiers })).toBeNull()
})

test('the advice names what was seen, and what to add', () => {
  expect(vendorAdvice({ word: 'acme', identifiers: [replayHeader] })).toBe(
    'this service writes `acme` where the contract has `service` (X-Acme-Idempotent-Replay): add `target.vendor: acme` to the target file, or give --vendor acme',
  )
})
