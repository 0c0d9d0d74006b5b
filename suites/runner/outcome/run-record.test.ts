import { expect, test } from 'vitest'
import { emptyPolicy } from '../../policy/policy.ts'
import { contractOf } from '../../policy/clause-set-file.ts'
import { serverScenarios } from '../../scenarios.ts'
import { planRun, type Planned, shardOf } from '../plan/plan.ts'
import { targetDouble } from '../service.testkit.ts'
import { answersFor } from './run-record.ts'

const target = targetDouble()
const check = 'idempotency-replay/json/IDEM-REPLAY-HEADER'
const expired = { check, owner: 'ann', reason: 'is being fixed', expires: '2029-12-31' }
const policy = { ...emptyPolicy, flaky: [expired] }

function stale({ plan }: Planned): readonly string[] {
  const run = {
    findings: [],
    scenarioRuns: [],
    plan,
    contract: contractOf(undefined),
    run: { profile: 'standard' },
    target: { kind: 'staging' },
  } as const
  return answersFor(run, serverScenarios, policy, '2030-01-01').gate.stalePolicy
}

test('an entry of the policy expires in the shard that has its check, and in the whole', () => {
  const whole = planRun(serverScenarios, target)
  const shards = [1, 2].map((number) => shardOf(whole, { number, of: 2 }, target))
  const having = shards.filter(({ plan }) => plan.checks.some((one) => one.check === check))
  expect(having).toHaveLength(1)
  for (const shard of shards) expect(stale(shard)).toHaveLength(having.includes(shard) ? 1 : 0)
  expect(stale(whole)).toHaveLength(1)
})
