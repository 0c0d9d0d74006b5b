import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyPolicy } from '../../suites/policy/policy.ts'
import type { AnyScenario, Cost, Needs } from '../../suites/scenario/scenario.ts'
import type { Planned } from '../../suites/runner/plan/plan.ts'
import { undeclared } from '../../suites/config/defaults.ts'
import { run } from '../process.testkit.ts'
import { runCeiling } from '../check/course.ts'
import type { PlannedProvider } from './plan.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const folder = temporaryFolder()

/** Nothing listens there: a plan asks nothing. */
const file = join(folder, 'touchstone.yaml')
const provided: Readonly<Record<string, string>> = {
  'chat.paused': '{ provide: fixture, agent: paused }',
  'server.500': '{ provide: exec, enter: [./fail] }',
  'server.503': '{ provide: none, why: nobody dares }',
  'event.leads.submit': '{ provide: fixture, agent: plain, message: lead }',
  'event.booking.created': '{ provide: none, why: nobody books }',
  'plan.disallows': '{ provide: attest, by: ann, on: 2026-11-01, note: seen }',
}
const others = 'key.uncertain workflow.current stream.tool stream.gate stream.error credits.exhausted'
writeFileSync(
  file,
  [
    'apiVersion: touchstone/v1',
    'target: { name: acme, kind: staging, baseUrl: "http://localhost:1" }',
    'principals: { main: { bearer: "env:KEY", scopes: [chat] } }',
    'session: { headers: { Cookie: "env:KEY" } }',
    'receiver: { mode: loopback, development: true }',
    'agents: { plain: agent-1, paused: agent-2 }',
    'states:',
    ...Object.entries(provided).map(([state, how]) => `  ${state}: ${how}`),
    ...others.split(' ').map((state) => `  ${state}: { provide: none, why: not here }`),
  ].join('\n'),
)
test('touchstone plan gives each check its provider, and says why it is not exercised', async () => {
  const { out } = await run(['plan', file, '--json'], { env: { KEY: 'sk-1' } })
  const { checks } = JSON.parse(out) as { checks: readonly PlannedProvider[] }
  const one = (state: string): PlannedProvider | undefined =>
    checks.find(({ states }) => Object.keys(states).join() === state)
  expect(checks.find(({ states }) => Object.keys(states).length === 0)?.provider).toBe('wire')
  expect(one('chat.paused')).toMatchObject({ provider: 'fixture', notExercised: null })
  expect(one('server.503')).toMatchObject({
    provider: 'none',
    notExercised: { reason: 'state-not-provided', because: 'server.503: nobody dares' },
  })
  expect(one('plan.disallows')).toMatchObject({ provider: 'attest', notExercised: { reason: 'attested' } })
  // Of one scenario: each check needs its own event.
  expect(one('event.leads.submit')?.notExercised).toBeNull()
  expect(one('event.booking.created')?.notExercised?.because).toContain('nobody books')
  expect(one('server.500')).toMatchObject({ provider: 'exec', notExercised: { reason: 'opt-in-required' } })
})

test('touchstone plan says how many clauses nothing judges, of what the target declares too little for', async () => {
  const { out } = await run(['plan', file], { env: { KEY: 'sk-1' } })
  expect(out.replaceAll(/\s+/g, ' ')).toMatch(
    /\d: the target declares too little for them; nothing else in this plan judges \d+ clauses of theirs/,
  )
})

describe('the ceiling of a plan', () => {
  const plan = (requests: number, turns: number, needs: Needs = {}): Planned => ({
    plan: { checks: [], leftOut: [], digest: '', ceiling: { requests, turns } },
    scenarios: [
      { id: 'a/one', scenario: scenarioOf({ requests, turns }, needs), subjects: [], outlook: null },
    ],
  })
  const scenarioOf = (cost: Cost, needs: Needs): AnyScenario => ({
    title: '',
    exchanges: [],
    cost,
    needs,
    run: () => Promise.resolve(),
    judge: {},
  })
  const target = {
    ...undeclared,
    name: 'acme',
    kind: 'staging',
    baseUrl: 'http://localhost:1',
    principals: [],
    agents: { plain: 'a' },
    policy: emptyPolicy,
  } as const

  test.for([
    [45, 1, 0],
    [46, 1, 1],
    [91, 1, 2],
    [91, 3, 0],
    [136, 3, 1],
  ])('waits with %d requests of %d keys for %d minutes', ([requests = 0, keys = 1, waitingMinutes]) => {
    const pool = Array.from({ length: keys - 1 }, (_, at) => `sk-${at}`)
    const own = { name: 'main', bearer: 'sk-main', account: 'main', sacrificial: false, pool } as const
    const principals = [{ ...own, scopes: ['chat'], agents: '*' }] as const
    const ceiling = runCeiling(plan(requests, 1), { ...target, principals })
    expect(ceiling).toMatchObject({ keys, waitingMinutes, cutBy: [] })
  })

  test('is free where no turn is planned, waits nowhere where the clock is advanced, and names a cap that cuts it', () => {
    expect(runCeiling(plan(3, 0), target).credits).toBe(0)
    const advanced = { ...target, timing: { ...target.timing, clock: 'control' as const } }
    expect(runCeiling(plan(91, 1), advanced).waitingMinutes).toBe(0)
    const quick = { ...target, budgets: { ...target.budgets, requestsPerMinute: 60 } }
    expect(runCeiling(plan(3001, 1), quick)).toMatchObject({ requests: 3000, cutBy: ['requests'] })
  })
})
