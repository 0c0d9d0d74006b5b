import { describe, expect, test } from 'vitest'
import type { Principal, Target } from '../../config/target.ts'
import { ScenarioEnded } from '../../scenario/ending.ts'
import { pass } from '../../scenario/expect.ts'
import type { Needs, PrincipalNeed, Scenario } from '../../scenario/scenario.ts'
import { targetDouble } from '../service.testkit.ts'
import { settle } from './settings.ts'

function principal(name: string, change: Partial<Principal> = {}): Principal {
  const ordinary = {
    scopes: ['chat', 'billing_read'],
    agents: '*',
    account: 'one',
    sacrificial: false,
  } as const
  return { name, bearer: `sk-${name}`, ...ordinary, ...change }
}

const rich: Target = {
  ...targetDouble(),
  agents: { plain: 'agent-plain', second: 'agent-second' },
  principals: [
    principal('former', { revoked: true }),
    principal('limited', { sacrificial: true }),
    principal('main'),
    principal('second'),
    // What `everything` includes is not known.
    principal('own', { scopes: ['everything'] }),
    principal('no-chat', { scopes: ['billing_read'] }),
    principal('no-billing', { scopes: ['chat'] }),
    principal('theirs', { account: 'two', agents: ['agent-theirs'] }),
    principal('restricted', { agents: ['agent-second'] }),
    principal('stranger', { account: 'two' }),
  ],
}

const picks: readonly (readonly [PrincipalNeed, string])[] = [
  [{}, 'main'],
  [{ with: ['chat', 'billing_read'] }, 'main'],
  [{ without: ['billing_read'] }, 'no-billing'],
  [{ without: ['chat'] }, 'no-chat'],
  [{ kind: 'restricted' }, 'restricted'],
  [{ kind: 'other-account' }, 'theirs'],
  [{ kind: 'sacrificial' }, 'limited'],
  [{ kind: 'revoked' }, 'former'],
]

test.for(picks)('the principal is picked by what it can do %j', ([need, name]) => {
  expect(settle({ needs: { principal: need } }, rich, '')).toMatchObject({ cast: { self: { name } } })
})

test('a key without credits runs no role', () => {
  const others = { stranger: { kind: 'other-account' } } as const
  const target: Target = {
    ...rich,
    principals: [principal('broke', { account: 'three' }), ...rich.principals],
    states: { 'credits.exhausted': { provide: 'fixture', principal: 'broke' } },
  }
  expect(settle({ needs: { others } }, target, '')).toMatchObject({
    cast: { self: { name: 'main' }, stranger: { name: 'theirs' } },
  })
})

test('the texts and the agent that repeats are those of the target, where it declares any', () => {
  const plain = settle({ needs: {} }, rich, 'made up')
  expect(plain).toMatchObject({ message: 'made up' })
  expect(plain).not.toHaveProperty('echo')
  const echo = { agent: 'agent-parrot', message: 'Say {text}!' }
  const fixtures = { messages: { plain: 'Hello.' }, echo, recall: null, operations: [] }
  expect(settle({ needs: {} }, { ...rich, fixtures }, 'made up')).toMatchObject({ message: 'Hello.', echo })
})

const features = { ...rich.features, pause: 'unsupported', webhooks: 'unsupported' } as const
const runnable = ({ needs = {}, judge = {} }: Partial<Pick<Scenario, 'needs' | 'judge'>>): boolean =>
  !(settle({ needs, judge }, { ...rich, features }, '') instanceof ScenarioEnded)

test.for<[string, boolean, Partial<Pick<Scenario, 'needs' | 'judge'>>]>([
  ['a scenario in a state of it', false, { needs: { states: ['chat.paused'] } }],
  ['a scenario of its clauses', false, { judge: { 'PAUSE-STATUS': () => pass } }],
  [
    'a scenario of other clauses too',
    true,
    { judge: { 'PAUSE-STATUS': () => pass, 'RES-JSON': () => pass } },
  ],
])('a feature that the target is declared not to have is not run %s: %s', ([, execution, scenario]) => {
  expect(runnable(scenario)).toBe(execution)
})

describe('a key that is restricted to agents', () => {
  const one = principal('one', { agents: ['agent-plain'] })
  const target: Target = { ...rich, principals: [one, principal('main')] }
  const elsewhere = { 'chat.paused': { provide: 'fixture', agent: 'agent-paused' } } as const
  const recall = { agent: 'agent-parrot', tell: 'Remember {text}.', ask: 'What was it?' }
  const fixtures = { ...target.fixtures, recall }
  const whose: readonly (readonly [Needs, Partial<Target>, string])[] = [
    [{}, {}, 'one'],
    [{ secondAgent: true }, {}, 'main'],
    [{ recall: true }, { fixtures }, 'main'],
    [{ states: ['chat.paused'] }, { states: elsewhere }, 'main'],
  ]
  test.for(whose)('calls none of the others: %j', ([needs, more, name]) => {
    expect(settle({ needs }, { ...target, ...more }, '')).toMatchObject({ cast: { self: { name } } })
  })
})

const poor = targetDouble()
const spent = 'others may spend credits of the account during the run'
const refusals: Readonly<Record<string, readonly [Needs, reason: string]>> = {
  'no principal has scopes: [] without chat and agents: "*"; declare one under `principals`': [
    { principal: { without: ['chat'] } },
    'principal-missing',
  ],
  'no further principal (role twin) has scopes: [chat] and account: <the same account, with a second key>; declare one under `principals`':
    [{ others: { twin: { kind: 'second-of-account' } } }, 'principal-missing'],
  [`${spent}; declare \`exclusiveCredits: true\` if they do not`]: [
    { exclusiveCredits: true },
    'prerequisite-failed',
  ],
  'it is slow and is costly; allow that with `optIn`': [{ optIn: ['slow', 'costly'] }, 'opt-in-required'],
}

test.for(Object.entries(refusals))('a scenario is not run: %s', ([because, [needs, reason]]) => {
  const refused = settle({ needs }, { ...poor, exclusiveCredits: false }, '')
  expect(refused).toBeInstanceOf(ScenarioEnded)
  expect(refused).toMatchObject({ ending: { is: 'not-exercised', reason, because } })
})
