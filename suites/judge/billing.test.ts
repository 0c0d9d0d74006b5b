import { expect, test } from 'vitest'
import type { Judgement } from '../engine/judgement.ts'
import { agrees, allAgree, creditsIn, hasTexts, lists, showsSomething, withinLimit } from './billing.ts'
import { jsonAnswer } from './exchange.double.ts'

const invoices = (count: number) =>
  jsonAnswer({ filters: ['open'], invoices: Array.from({ length: count }, (_, i) => ({ id: i })) })

test.for<[number, number, Judgement['is']]>([
  [2, 2, 'pass'],
  [1, 2, 'pass'],
  [0, 2, 'pass'],
  [3, 2, 'broken'],
])('%i invoices where %i were asked for', ([count, limit, is]) => {
  expect(withinLimit(invoices(5), invoices(count), limit).is).toBe(is)
})

test('where there are no more than asked for, a limit shows nothing', () => {
  expect(withinLimit(invoices(2), invoices(2), 2).is).toBe('inconclusive')
})

test('a list with a limit that is refused shows nothing', () => {
  expect(withinLimit(invoices(5), jsonAnswer({ error: 'no' }, { status: 400 }), 2).is).toBe('inconclusive')
})

test.for<[unknown, Judgement['is']]>([
  [{ plans: [{ id: 'free' }] }, 'pass'],
  [[{ id: 'free' }], 'pass'],
  [{ plans: [] }, 'weak'],
  [{ plans: { free: {}, paid: {} } }, 'inconclusive'],
])('%o lists something, or not', ([body, is]) => {
  expect(lists(jsonAnswer(body)).is).toBe(is)
})

test.for<[unknown, Judgement['is']]>([
  [{ status: 'active', plan: { displayName: 'Business', id: 7 } }, 'pass'],
  [{ status: 'active', plan: 'Business' }, 'broken'],
  [{ plan: { displayName: 'Business' } }, 'broken'],
])('%o is a subscription, or not', ([body, is]) => {
  expect(hasTexts(jsonAnswer(body), '/status', '/plan/displayName').is).toBe(is)
})

test.for<[unknown, number | null]>([
  [{ credits: { remaining: 0.25 } }, 0.25],
  [{ credits: { remaining: '7' } }, null],
  [{ credits_remaining: 7 }, null],
])('the credits in %o', ([body, left]) => {
  expect(creditsIn(jsonAnswer(body))).toBe(left)
})

test.for<[number, number, Judgement['is']]>([
  [99, 99, 'pass'],
  [0.3, 0.1 + 0.2, 'pass'],
  [99, 98, 'broken'],
])('a turn that left %f, and a usage of %f', ([left, read, is]) => {
  const turn = jsonAnswer({ response: 'Hello.', credits_used: 1, credits_remaining: left })
  expect(agrees(turn, jsonAnswer({ credits: { remaining: read } })).is).toBe(is)
})

test.for<[number, number, Judgement['is']]>([
  [99, 99, 'pass'],
  [99, 100, 'broken'],
  [99, 98, 'broken'],
  [99, 599, 'inconclusive'],
  [599, 1099, 'broken'],
])('after turns that left 99, usages of %f and %f', ([first, second, is]) => {
  const pair = (read: number) =>
    [
      jsonAnswer({ response: 'Hello.', credits_used: 1, credits_remaining: 99 }),
      jsonAnswer({ credits: { remaining: read } }),
    ] as const
  expect(allAgree(pair(first), pair(second)).is).toBe(is)
})

test.for<[unknown, Judgement['is']]>([
  [{ status: 'failed', plan: {} }, 'pass'],
  [{ status: 'failed', error: { code: 'NOT_ALLOWED', resolution: 'Ask.' } }, 'broken'],
  [{}, 'broken'],
])('%o is something that is shown, or not', ([body, is]) => {
  expect(showsSomething(jsonAnswer(body)).is).toBe(is)
})
