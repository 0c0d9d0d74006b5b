import { expect, test } from 'vitest'
import { pass } from '../../scenario/expect.ts'
import { scenario, type AnyScenario, type Needs } from '../../scenario/scenario.ts'
import { serverScenarios } from '../../scenarios.ts'
import { targetDouble } from '../service.testkit.ts'
import { planDigest, planRun, shardOf } from './plan.ts'

function entry(requests: number, needs: Needs = {}): AnyScenario {
  return scenario({
    title: '',
    exchanges: ['one'],
    needs,
    cost: { requests, turns: 0 },
    run: () => Promise.resolve(),
    judge: { 'RES-JSON': () => pass },
  })
}

const target = targetDouble()

test.for([1, 2, 3, 7])('every check of the plan is in exactly one of %d shards', (of) => {
  const whole = planRun(serverScenarios, target)
  const shards = Array.from({ length: of }, (_, at) => shardOf(whole, { number: at + 1, of }, target))
  const all = whole.plan.checks.map(({ check }) => check)
  const own = shards.map(({ plan }) => plan.checks.map(({ check }) => check))
  expect(own.flat().toSorted()).toEqual(all.toSorted())
  for (const [at, { plan }] of shards.entries()) {
    const others = plan.leftOut.flatMap(({ by, checks }) => (by === 'shard' ? checks : []))
    expect(planDigest([...(own[at] ?? []), ...others])).toBe(whole.plan.digest)
    expect(plan.shard).toEqual({ number: at + 1, of, plan: whole.plan.digest })
  }
})

const hook = {
  provide: 'http',
  enter: { url: 'http://localhost:1/', method: 'POST', headers: [], expect: [] },
  timeoutSeconds: 1,
  secrets: [],
} as const

const needs: Readonly<Record<string, readonly [Needs, Needs]>> = {
  'a key that may be rate limited': [
    { principal: { kind: 'sacrificial' } },
    { others: { other: { kind: 'sacrificial' } } },
  ],
  'deliveries, and what is forced into a state': [{ receiver: true }, { states: ['chat.paused'] }],
  'the credits of an account': [{ exclusiveCredits: true }, { exclusiveCredits: true }],
}

test.for(Object.entries(needs))('scenarios that would interfere are in one shard %s', ([, [one, other]]) => {
  const forced = { ...target, states: { 'chat.paused': hook } }
  const scenarios = { 'a/one': entry(3, one), 'a/other': entry(3, other), 'a/free': entry(3) }
  const whole = planRun(scenarios, forced)
  const all = whole.scenarios.map((planned) => ({ ...planned, outlook: null }))
  const shards = [1, 2].map((number) => shardOf({ ...whole, scenarios: all }, { number, of: 2 }, forced))
  const place = (id: string): number => shards.findIndex((shard) => shard.scenarios.some((s) => s.id === id))
  expect(place('a/one')).toBe(place('a/other'))
  expect(place('a/free')).not.toBe(place('a/one'))
})
