import { describe, expect, test } from 'vitest'
import type { Finding, OtherAnswers } from '../../../reports/bundle/record.ts'
import type { ClauseSetFile, NamedClauseSet } from '../../../spec/index.ts'
import { emptyPolicy } from '../../policy/policy.ts'
import { contractOf } from '../../policy/clause-set.ts'
import { serverScenarios } from '../../scenarios.ts'
import { scenario } from '../../scenario/scenario.ts'
import { planRun, type Planned, type Scenarios, shardOf } from '../plan/plan.ts'
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

describe('answers under several clause sets', () => {
  const subject = 'IDEM-REPLAY-HEADER'
  const scenarios: Scenarios = {
    'a/b': scenario({
      title: 'one',
      exchanges: ['one'],
      cost: { requests: 1, turns: 1 },
      run: async (t) => void (await t.chat('one')),
      judge: { [subject]: () => ({ is: 'pass' }) },
    }),
  }
  const under = (definition: Partial<ClauseSetFile>): NamedClauseSet => ({
    revision: '2027-03',
    digest: 'ab',
    definition: { name: '2027-03', base: '2026-11', ...definition },
  })
  const answers = (verdict: Finding['verdict'], otherSets: readonly NamedClauseSet[]) => {
    const place = {
      check: `a/b/${subject}`,
      subject,
      scenario: 'a/b',
      title: 'one',
      area: 'idempotency',
    } as const
    const found = { ...place, level: 'must', basis: 'stated', verdict, evidence: [1], states: [] } as const
    const plan = { checks: [found], leftOut: [], digest: '', ceiling: { requests: 1, turns: 1 } }
    const run = {
      findings: [found],
      scenarioRuns: [],
      plan,
      run: { profile: 'standard' },
      target: { kind: 'staging' },
    } as const
    return answersFor({ ...run, contract: contractOf(), otherSets }, scenarios, emptyPolicy, '2030-01-01')
  }

  test.for<[string, Finding['verdict'], Partial<ClauseSetFile>, Partial<OtherAnswers>]>([
    [
      'a failed clause that is removed decides nothing',
      'fail',
      { remove: [subject] },
      {
        exitCode: 3,
        moves: [{ check: `a/b/${subject}`, level: 'must', verdict: 'fail', provisional: true }],
      },
    ],
    [
      'a failed clause that is lowered is a warning',
      'fail',
      { change: { [subject]: { level: 'should' } } },
      { moves: [{ check: `a/b/${subject}`, level: 'should', verdict: 'warn' }] },
    ],
    [
      'a MUST clause without a check is not kept',
      'pass',
      { add: { 'X-Y': { level: 'must', text: 'x' } } },
      { conformance: 'partial', exitCode: 0, moves: [] },
    ],
  ])('%s', ([, verdict, definition, expected]) => {
    const { conformance, otherAnswers } = answers(verdict, [under(definition)])
    expect(conformance).toBe(verdict === 'fail' ? 'nonconformant' : 'conformant')
    expect(otherAnswers).toMatchObject([{ revision: '2027-03', ...expected }])
  })
})
