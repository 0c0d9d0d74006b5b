import { describe, expect, test } from 'vitest'
import { createCaller } from '../testing/caller.testkit.ts'
import { createSimulator } from '../index.ts'
import { createKeyBook } from '../tenant/keys.ts'
import { applyModifications, fault, variant, type Modification } from './modification.ts'

const hello = { message: 'hello', idempotency_key: 'k' }

function callerWith(...modifications: readonly Modification[]) {
  const caller = createCaller()
  applyModifications(caller.tenant.state, modifications)
  return caller
}

const subtle = {
  anyCase: fault({
    title: 'Keys are matched in any case',
    breaks: ['IDEM-KEY-DISTINCT'],
    rules: () => ({ normalizeKey: (key) => key.toLowerCase() }),
  }),
  forgetfulReplica: fault({
    title: 'Every second request goes to a replica that does not know the keys of the other',
    breaks: ['IDEM-REPLAY-AGAIN'],
    rules: () => {
      const other = createKeyBook()
      return { book: (state, call) => (call.id % 2 === 0 ? other : state.keys) }
    },
  }),
}

describe('a fault', () => {
  test('keeps what it remembers to its own tenant', async () => {
    const one = callerWith(subtle.forgetfulReplica)
    const two = callerWith(subtle.forgetfulReplica)
    await one.say(hello)
    await one.say(hello)
    expect((await two.say(hello)).headers).not.toHaveProperty('x-service-idempotent-replay')
  })

  test('is gone when modifications are set anew', async () => {
    const { say, tenant } = callerWith(subtle.anyCase)
    tenant.setModifications({})
    await say(hello)
    expect((await say({ ...hello, idempotency_key: 'K' })).headers).not.toHaveProperty(
      'x-service-idempotent-replay',
    )
  })
})

test('modifications add up, each on what the one before it left', async () => {
  const louder = (title: string) =>
    variant({
      title,
      allowed: 'A test says so.',
      rules: (rules) => ({ showCredits: (credits) => rules.showCredits(credits) * 10 }),
    })
  const { say } = callerWith(louder('ten times'), louder('a hundred times'))
  expect((await say(hello)).body).toMatchObject({ credits_used: 100 })
})

test('an API key with another prefix is known by that, and without it', async () => {
  const simulator = await createSimulator({ faults: ['keys-of-another-prefix'] })
  const { tenant } = simulator
  tenant.setCredits('main', 7)
  expect(tenant.keys.main).toMatch(/^live-sk-/)
  for (const given of [tenant.keys.main, tenant.keys.main.slice('live-'.length), 'main'])
    expect(tenant.credits(given)).toBe(7)
  await simulator.close()
})

test('an unknown name is refused with those there are, and nothing changes', () => {
  const { tenant } = createCaller()
  const { rules } = tenant.state
  // @ts-expect-error -- the compiler knows the names, too
  expect(() => tenant.setModifications({ faults: ['no-such-fault'] })).toThrow('no-such-fault')
  expect(tenant.state.rules).toBe(rules)
})
