import { expect, test } from 'vitest'
import type { Target } from '../../suites/index.ts'
import { simulatedRun } from '../simulated-run.ts'

const caps = [
  ['requests', 20],
  ['turns', 5],
  ['credits', 3],
  ['wallSeconds', 0.2],
] as const

test.for(caps)('a cap of %s ends a run cleanly: %d', async ([cap, most]) => {
  const capped = (target: Target): Target => ({ ...target, budgets: { ...target.budgets, [cap]: most } })
  const { record, journal } = await simulatedRun({}, {}, capped)
  const { findings, plan, scenarioRuns: scenarios, run, used } = record
  expect(findings.map(({ check }) => check)).toEqual(plan.checks.map(({ check }) => check))
  const left = findings.filter(({ verdict }) => verdict === 'not-exercised')
  // Also of the scenario that was cut when the time was up: a policy may expect it.
  expect(new Set(left.map(({ reason }) => reason))).toEqual(new Set(['budget-exhausted', 'never-seen']))
  expect(new Set(left.map(({ scenario }) => scenario)).size).toBeGreaterThan(10)
  expect(findings.filter(({ verdict }) => verdict === 'fail')).toEqual([])
  expect([run.lifecycle, record.exitCode]).toEqual(['interrupted', 3])
  // What is under way when the time is up is waited for.
  expect(used[cap]).toBeLessThanOrEqual(cap === 'wallSeconds' ? 10 : most)
  // No state is brought about for a scenario of which nothing can be sent.
  const sent = new Set(
    journal.filter(({ failure }) => failure?.kind !== 'budget').map(({ scenario }) => scenario),
  )
  expect(scenarios.filter(({ scenario, states }) => states.length > 0 && !sent.has(scenario))).toEqual([])
})
