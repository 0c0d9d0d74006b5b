import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { pass } from '../../scenario/expect.ts'
import { ConfigurationError, type Profile } from '../../config/target.ts'
import { planRun } from './plan.ts'
import { scenario, type AnyScenario, type Needs } from '../../scenario/scenario.ts'
import { targetDouble } from '../service.testkit.ts'

function entry(turns: number, needs: Needs = {}, profile: Profile = 'standard'): AnyScenario {
  return scenario({
    title: '',
    exchanges: ['one'],
    needs,
    profile,
    cost: { requests: turns + 1, turns },
    run: () => Promise.resolve(),
    judge: { 'RES-JSON': () => pass, 'IDEM-REPLAY-HEADER': () => pass },
    observe: { 'GAP-CREDIT-COST': () => pass },
  })
}

const scenarios = {
  'limits/flood': entry(1, { states: ['rate.limited'] }),
  'limits/slow': entry(1, { optIn: ['slow'] }),
  'chat/paid': entry(2),
  'chat/free': entry(0),
  'chat/long': entry(50, {}, 'exhaustive'),
}
const target = targetDouble()
const ids = (only?: readonly string[], change = {}): readonly string[] =>
  planRun(scenarios, { ...target, ...change }, only).scenarios.map(({ id }) => id)

test.for([
  ['chat/free', ['chat/free/RES-JSON', 'chat/free/IDEM-REPLAY-HEADER', 'chat/free/GAP-CREDIT-COST']],
  ['*/paid/RES-*', ['chat/paid/RES-JSON']],
  [
    'GAP-CREDIT-COST',
    ['chat/free', 'chat/paid', 'limits/slow', 'limits/flood'].map((id) => `${id}/GAP-CREDIT-COST`),
  ],
  ['chat-response', ['chat/free', 'chat/paid', 'limits/slow', 'limits/flood'].map((id) => `${id}/RES-JSON`)],
] as const)('only what matches is planned %s', ([pattern, checks]) => {
  expect(planRun(scenarios, target, [pattern]).plan.checks.map(({ check }) => check)).toEqual(checks)
})

test.for([
  [['rules/chat'], ['chat/quick', 'rules/chat']],
  [['rules/tasks'], ['tasks/slow', 'rules/tasks']],
  [['rules/*'], ['chat/quick', 'tasks/slow', 'rules/chat', 'rules/tasks']],
  [
    ['rules/*', 'chat/other'],
    ['chat/other', 'tasks/slow', 'rules/chat', 'rules/tasks'],
  ],
] as const)('rules that are asked for as %o have what feeds each of them', ([only, planned]) => {
  const rule = { rule: true, cost: { requests: 0, turns: 0 } } as const
  const ofTasks = { judge: { 'TASK-READ': () => pass }, observe: {} }
  const all: Readonly<Record<string, AnyScenario>> = {
    'chat/other': entry(1),
    'chat/quick': entry(0, {}, 'smoke'),
    'tasks/slow': { ...entry(1), ...ofTasks },
    'rules/chat': { ...entry(0), ...rule },
    'rules/tasks': { ...entry(0), ...rule, ...ofTasks },
  }
  expect(planRun(all, target, only).scenarios.map(({ id }) => id)).toEqual(planned)
})

test('a pattern that matches nothing is a configuration error', () => {
  expect(() => planRun(scenarios, target, ['zzz'])).toThrow(ConfigurationError)
  expect(() => planRun(scenarios, target, ['RES-JSN'])).toThrow('RES-JSN; did you mean RES-JSON?')
  expect(() => planRun(scenarios, target, ['chats'])).toThrow('chats; did you mean chat*?')
  // Beside one that matches too: what it was to ask for would not be missed otherwise.
  expect(() => planRun(scenarios, target, ['chat/free', 'chat/fre*d'])).toThrow(
    'no check matches chat/fre*d;',
  )
  expect(() => planRun(scenarios, target, ['chat/long'])).toThrow('beyond the profile standard')
})

test('one more look is planned only where the target has what it takes', () => {
  const needs: Needs = { others: { former: { kind: 'revoked' } }, extra: true }
  const more = { ...scenarios, 'auth/former': entry(1, needs) }
  const former = { name: 'former', bearer: 'sk-former', scopes: [], agents: '*', account: 'one' } as const
  const principals = [
    ...target.principals,
    { ...former, scopes: ['chat'], sacrificial: false, revoked: true } as const,
  ]
  const planned = (with_: typeof target) => planRun(more, with_).scenarios.map(({ id }) => id)
  expect(planned(target)).toEqual(ids())
  expect(planned({ ...target, principals })).toContain('auth/former')
  expect(() => planRun(more, target, ['auth/*'])).toThrow(
    'what matches auth/* cannot be run here: no further principal (role former) has scopes: [chat] and revoked: true',
  )
})

test('an execution is not promised where nothing says how its input is wrapped', () => {
  const more = { 'inspection/any': entry(0, { executes: true }) }
  const dialects = [{}, { execution: { input: '/input' } }]
  const outlooks = dialects.map((dialect) => planRun(more, { ...target, dialect }).scenarios[0]?.outlook)
  expect(outlooks).toEqual([expect.objectContaining({ reason: 'fixture-missing' }), null])
})

test('the digest is of the sorted check ids, whatever the order of the scenarios', () => {
  const { plan } = planRun(scenarios, target)
  const reversed = Object.fromEntries(Object.entries(scenarios).toReversed())
  const sorted = plan.checks.map(({ check }) => check).sort()
  expect(plan.digest).toBe(createHash('sha256').update(sorted.join('\n')).digest('hex'))
  expect(planRun(reversed, target).plan.digest).toBe(plan.digest)
})

test('the ceiling counts what can be run here, with what its states take', () => {
  const limited = { ...target.principals[0], name: 'limited', sacrificial: true }
  const { ceiling } = planRun(scenarios, target, ['chat/*']).plan
  expect(ceiling).toEqual({ requests: 3 + 1 + 3, turns: 1 + 2 })
  expect(planRun(scenarios, target, ['limits/slow']).plan.ceiling).toEqual({ requests: 3, turns: 1 })
  const flooded = planRun(scenarios, { ...target, principals: [...target.principals, limited] as never }, [
    '*/flood',
  ])
  expect(flooded.plan.ceiling).toEqual({ requests: 3 + 2 + 125, turns: 1 + 2 })
})
