import { expect, test } from 'vitest'
import { createCaller } from '../testing/caller.testkit.ts'
import { toCredits, shownCredits } from './conversations.ts'

test('a thousand tenths are a hundred, without drift', () => {
  let sum = 0
  for (let i = 0; i < 1_000; i++) sum += toCredits(0.1)
  expect(shownCredits(sum)).toBe(100)
})

test('an amount that cannot be counted exactly is refused', () => {
  expect(() => toCredits(1e300)).toThrow('cannot be counted')
  expect(() => toCredits(Number.NaN)).toThrow('cannot be counted')
})

test('turns at once never spend the same credits', async () => {
  const { tenant, say } = createCaller({ replyRules: [{ match: {}, reply: { text: 'ok', credits: 0.7 } }] })
  tenant.setCredits('main', 2)
  const turns = await Promise.all([1, 2, 3, 4].map((n) => say({ message: 'm', idempotency_key: `k${n}` })))
  expect(turns.map(({ status }) => status)).toEqual([200, 200, 402, 402])
  expect(turns[2]?.body).toMatchObject({ credits_required: 0.7, credits_remaining: 0.6 })
  expect(tenant.credits('main')).toBe(0.6)
})

test('what is left after each turn is what was left before, less its cost', async () => {
  const { say } = createCaller({ interpretations: { 'GAP-CREDIT-COST': 'fraction' } })
  let left = 1_000_000
  for (let n = 1; n <= 50; n++) {
    const { body } = await say({ message: 'x'.repeat(n), idempotency_key: `k${n}` })
    left = Math.round((left - Number(body['credits_used'])) * 1_000) / 1_000
    expect(body['credits_remaining']).toBe(left)
  }
})
