import { expect, test } from 'vitest'
import type { Judgement } from '../../scenario/judgement.ts'
import { isLuhn, showsNoCard } from './card.ts'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'

test.for<[string, unknown, Judgement['is']]>([
  ['what billing shows', { status: 'active', plan: { displayName: 'Business' }, total: 99 }, 'pass'],
  ['the kind of payment', { paymentMethod: 'card', hasCard: true, card: null }, 'pass'],
  ['times and ids', { at: 1_763_750_000_000, id: '4242424242424242', invoice: 'INV-2029-12' }, 'pass'],
  ['a long number that has no check digit', { account: '4242424242424241' }, 'pass'],
  ['a number of another length', { account: '424242424242' }, 'pass'],
  ['an empty detail', { last4: '', cvc: null }, 'pass'],
  ['the last digits', { payment: { last4: '4242' } }, 'fail'],
  ['the same, in another case', { last_four: 4242 }, 'fail'],
  ['an expiry', { exp_month: 12, exp_year: 2030 }, 'fail'],
  ['a brand within a card', { card: { brand: 'visa' } }, 'fail'],
  ['a masked number', { paidWith: '**** **** **** 4242' }, 'fail'],
  ['another mask', { note: 'paid with xxxx-4242' }, 'fail'],
  ['a masked account', { iban: 'xxxx 4242' }, 'warn'],
  ['a tax number', { pan: 'ABCDE1234F' }, 'pass'],
  ['what a page shows a plan on', { card: { name: 'Business' } }, 'pass'],
  ['a number within a payment', { payment: { charged: '4242 4242 4242 4242' } }, 'fail'],
  ['a number somewhere', { remark: '4242424242424242' }, 'warn'],
])('%s', ([, body, is]) => {
  expect(showsNoCard(jsonAnswer(body)).is).toBe(is)
})

// Test numbers that networks publish, and their neighbours.
test.for([
  ['4242424242424242', true],
  ['4242424242424243', false],
  ['378282246310005', true],
  ['5555555555554444', true],
] as const)('the check digit of %s', ([digits, holds]) => {
  expect(isLuhn(digits)).toBe(holds)
})
