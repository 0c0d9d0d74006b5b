import { expect, test } from 'vitest'
import type { Rules } from '../rules/tenant-state.ts'
import { createCaller, errorOf, type Said } from '../testing/caller.testkit.ts'

const hello = { message: 'hello', idempotency_key: 'k' }
const answer = (said: Said): string => {
  const replay = said.headers['x-service-idempotent-replay'] === 'true' ? ' replay' : ''
  return `${said.status} ${said.status === 200 ? 'reply' : errorOf(said)}${replay}`
}

const broken = (): never => {
  throw new Error('a defect')
}
const points: readonly [rule: keyof Rules, then: string][] = [
  ['turnOf', '200 reply'],
  ['cost', '200 reply'],
  ['covers', '200 reply'],
  ['debit', '409 OUTCOME_UNCERTAIN'],
  ['balanceAfter', '409 OUTCOME_UNCERTAIN'],
  ['threadKeeps', '409 OUTCOME_UNCERTAIN'],
  ['remaining', '409 OUTCOME_UNCERTAIN'],
  ['showCredits', '200 reply replay'],
]
const both = points.flatMap(([rule, then]) => [false, true].map((stream) => [rule, then, stream] as const))
test.for(both)(
  'a rule that throws leaves a key %s: %s afterwards (stream: %s)',
  async ([rule, then, stream]) => {
    const { tenant, say } = createCaller()
    const { rules } = tenant.state
    const own = rules[rule]
    Object.assign(rules, { [rule]: broken })
    await expect(say({ ...hello, stream })).rejects.toThrow('a defect')
    Object.assign(rules, { [rule]: own })
    expect(answer(await say({ ...hello, stream }))).toBe(then)
    expect([...tenant.state.accounts.values()].map(({ reserved }) => reserved)).not.toContain(1)
  },
)

test('buttons of conversations with long messages are bounded by bytes', () => {
  const { offers } = createCaller().tenant.state
  const said = 'x'.repeat(400)
  const conversation = { id: 'c', agent: 'a', account: 'b', turns: 1, presses: 0, current: 1, said }
  for (let n = 0; n < 50_000; n++) offers.set(`${n}`, { conversation, presentation: 1 })
  expect(offers.size).toBeLessThan(45_000)
})
