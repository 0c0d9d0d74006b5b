import { expect, test } from 'vitest'
import type { Judgement } from '../../scenario/judgement.ts'
import { hasSubscription, ifSubscribed, lists, showsSomething, withinLimit } from './billing.ts'
import type { Dialect } from '../../config/dialect.ts'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'

const invoices = (count: number) =>
  jsonAnswer({ filters: ['open'], links: [], invoices: Array.from({ length: count }, (_, i) => ({ id: i })) })

test.for<[number, number, Judgement['is']]>([
  [2, 2, 'pass'],
  [1, 2, 'pass'],
  [0, 2, 'pass'],
  [3, 2, 'fail'],
])('%i invoices where %i were asked for', ([count, limit, is]) => {
  expect(withinLimit(invoices(5), invoices(count), limit, {}).is).toBe(is)
})

test('where there are no more than asked for, a limit shows nothing', () => {
  expect(withinLimit(invoices(2), invoices(2), 2, {}).is).toBe('inconclusive')
})

test('a list with a limit that is refused shows nothing', () => {
  expect(withinLimit(invoices(5), jsonAnswer({ error: 'no' }, { status: 400 }), 2, {}).is).toBe(
    'inconclusive',
  )
})

test.for<[unknown, Judgement['is']]>([
  [{ plans: [{ id: 'free' }] }, 'pass'],
  [[{ id: 'free' }], 'pass'],
  [{ plans: [] }, 'warn'],
  [{ plans: { free: {}, paid: {} } }, 'inconclusive'],
])('%o lists something, or not', ([body, is]) => {
  expect(lists(jsonAnswer(body), 'plans', {}).is).toBe(is)
})

test('of several lists the one that is declared is counted', () => {
  const answer = (count: number) =>
    jsonAnswer({
      links: [{ rel: 'self' }, { rel: 'next' }, { rel: 'up' }],
      data: Array.from({ length: count }, () => ({ id: 1 })),
    })
  const judged = (dialect: Dialect) => withinLimit(answer(5), answer(2), 2, dialect).is
  expect([judged({}), judged({ lists: { invoices: '/data' } })]).toEqual(['inconclusive', 'pass'])
  expect(withinLimit(answer(5), answer(4), 2, { lists: { invoices: '/data' } }).is).toBe('fail')
})

test.for<[unknown, Judgement['is']]>([
  [{ status: 'active', plan: { displayName: 'Business', id: 7 } }, 'pass'],
  [{ status: 'active', plan: { display_name: 'Business' } }, 'pass'],
  [{ subscription: { status: 'active', plan: { display_name: 'Business' } } }, 'inconclusive'],
  [{ status: 'active', plan: 'Business' }, 'fail'],
  [{ plan: { displayName: 'Business' } }, 'fail'],
])('%o is a subscription, or not', ([body, is]) => {
  expect(hasSubscription(jsonAnswer(body), {}).is).toBe(is)
})

test.for<[unknown, Judgement['is']]>([
  [{ status: 'active', plan: { displayName: 'Business' } }, 'pass'],
  [{ status: 'active', plan: { id: 7 } }, 'fail'],
  [{ plan: { displayName: 'Business' } }, 'fail'],
  [{ status: 'none', plan: null }, 'inconclusive'],
  [{ status: 'none' }, 'inconclusive'],
])('%o is that of an account that may have none, or not', ([body, is]) => {
  expect(ifSubscribed(jsonAnswer(body), {}).is).toBe(is)
})

test('a subscription shows its status and plan where the target file says', () => {
  const subscription = { status: '/state', planName: '/tier' }
  const answer = jsonAnswer({ state: 'active', tier: 'Business', status: '', plan: {} })
  expect(hasSubscription(answer, { subscription }).is).toBe('pass')
  expect(hasSubscription(answer, { subscription: { ...subscription, planName: '/plan' } }).is).toBe('fail')
})

test.for<[unknown, Judgement['is']]>([
  [{ status: 'failed', plan: {} }, 'pass'],
  [{ status: 'failed', error: { code: 'NOT_ALLOWED', resolution: 'Ask.' } }, 'fail'],
  [{}, 'fail'],
])('%o is something that is shown, or not', ([body, is]) => {
  expect(showsSomething(jsonAnswer(body)).is).toBe(is)
})
