import { describe, expect, test } from 'vitest'
import type { Rules } from '../rules.ts'
import { createCaller, errorOf, type Caller, type Said } from './caller.testkit.ts'

const hello = { message: 'hello', idempotency_key: 'k' }
const answer = (said: Said): string => {
  const replay = said.headers['x-service-idempotent-replay'] === 'true' ? ' replay' : ''
  return `${said.status} ${said.status === 200 ? 'reply' : errorOf(said)}${replay}`
}

/** Brings the key `k` into a state in which a request with it is then judged. */
type Before = (caller: Caller) => unknown

const unused: Before = () => undefined
const inFlight: Before = async ({ tenant, say }) => {
  const barrier = tenant.barriers.hold({ at: 'before-commit', key: 'k' })
  void say(hello)
  await barrier.reached()
}
const completed: Before = ({ say }) => say(hello)
const completedAsStream: Before = ({ say }) => say({ ...hello, stream: true })
const uncertain: Before = ({ tenant }) => tenant.markUncertain({ key: 'k' })
const refusedForCredits: Before = async ({ tenant, say }) => {
  tenant.setCredits('main', 0)
  await say(hello)
  tenant.setCredits('main', 10)
}
const refusedForBody: Before = ({ say }) => say({ ...hello, message: 7 })
const refusedForRate: Before = async ({ tenant, say }) => {
  tenant.exhaustRate()
  await say(hello)
  tenant.resetRate()
}
const failedOnServer: Before = async ({ tenant, say }) => {
  tenant.fail({ status: 500 })
  await say(hello)
}
const failedStream: Before = ({ say }) => say({ ...hello, stream: true }, { agent: 'failing' })

describe('a key', () => {
  const cases: readonly [state: string, Before, same: string, other: string][] = [
    ['unused', unused, '200 reply', '200 reply'],
    ['in flight', inFlight, '409 REQUEST_IN_PROGRESS', '409 REQUEST_IN_PROGRESS'],
    ['completed', completed, '200 reply replay', '409 IDEMPOTENCY_CONFLICT'],
    ['completed by a stream', completedAsStream, '200 reply replay', '409 IDEMPOTENCY_CONFLICT'],
    ['uncertain', uncertain, '409 OUTCOME_UNCERTAIN', '409 OUTCOME_UNCERTAIN'],
    ['refused for credits', refusedForCredits, '200 reply', '200 reply'],
    ['refused for its body', refusedForBody, '200 reply', '200 reply'],
    ['refused for its rate', refusedForRate, '200 reply', '200 reply'],
    ['failed on the server', failedOnServer, '200 reply', '200 reply'],
    ['failed in a stream', failedStream, '200 reply', '200 reply'],
  ]
  test.for(cases)(
    'that is %s answers the same request and another message',
    async ([, before, same, other]) => {
      const first = createCaller()
      await before(first)
      expect(answer(await first.say(hello))).toBe(same)
      const second = createCaller()
      await before(second)
      expect(answer(await second.say({ ...hello, message: 'goodbye' }))).toBe(other)
    },
  )

  const kept: readonly [
    state: string,
    Before,
    Partial<Caller['tenant']['interpretations']>,
    same: string,
    other: string,
  ][] = [
    [
      'refused for credits and kept',
      refusedForCredits,
      { 'GAP-REFUSED-KEY': 'kept' },
      '402 INSUFFICIENT_CREDITS',
      '409 IDEMPOTENCY_CONFLICT',
    ],
    [
      'failed and uncertain',
      failedOnServer,
      { 'GAP-FAILED-STREAM': 'uncertain' },
      '409 OUTCOME_UNCERTAIN',
      '409 OUTCOME_UNCERTAIN',
    ],
    [
      'in flight with conflicts first',
      inFlight,
      { 'GAP-IN-FLIGHT-OTHER': 'conflict' },
      '409 REQUEST_IN_PROGRESS',
      '409 IDEMPOTENCY_CONFLICT',
    ],
  ]
  test.for(kept)(
    'that is %s answers as its interpretation says',
    async ([, before, interpretations, same, other]) => {
      const caller = createCaller({ interpretations })
      await before(caller)
      expect(answer(await caller.say(hello))).toBe(same)
      expect(answer(await caller.say({ ...hello, message: 'goodbye' }))).toBe(other)
    },
  )

  test('is forgotten for the bytes of later replies, long before there are too many keys', async () => {
    const { tenant, say } = createCaller({
      retention: { keys: { most: 1_000, bytes: 50_000, ageMs: Infinity } },
      interpretations: { 'GAP-REPLAY-TOKENS': 'with-tokens' },
    })
    const message = 'x '.repeat(5_000)
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await say({ message, idempotency_key: key })
    expect(tenant.state.keys.size).toBeLessThan(4)
    expect(answer(await say({ message, idempotency_key: 'f' }))).toBe('200 reply replay')
    expect(tenant.state.letGo.key).toBeGreaterThan(2)
  })
})

describe('a rule that throws leaves a key', () => {
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
  test.for(both)('%s: %s afterwards (stream: %s)', async ([rule, then, stream]) => {
    const { tenant, say } = createCaller()
    const { rules } = tenant.state
    const own = rules[rule]
    Object.assign(rules, { [rule]: broken })
    await expect(say({ ...hello, stream })).rejects.toThrow('a defect')
    Object.assign(rules, { [rule]: own })
    expect(answer(await say({ ...hello, stream }))).toBe(then)
    expect([...tenant.state.accounts.values()].map(({ reserved }) => reserved)).not.toContain(1)
  })
})

test('buttons of conversations with long messages are bounded by bytes', () => {
  const { offers } = createCaller().tenant.state
  const said = 'x'.repeat(400)
  const conversation = { id: 'c', agent: 'a', account: 'b', turns: 1, presses: 0, current: 1, said }
  for (let n = 0; n < 50_000; n++) offers.set(`${n}`, { conversation, presentation: 1 })
  expect(offers.size).toBeLessThan(45_000)
})
