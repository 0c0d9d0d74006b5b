/** Others may use a key shortly before a run: no check is lost to the rate limit. */
import { expect, test } from 'vitest'
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { createSimulator, type SimulatorOptions } from '../../simulator/index.ts'
import { runSuite } from '../../suites/runner/drivers/server.ts'
import { troubles } from '../simulated-run.ts'

test.for<[used: number, window: string, interpretations: NonNullable<SimulatorOptions['interpretations']>]>([
  [22, 'a sliding window', {}],
  [60, 'a sliding window', {}],
  [45, 'a fixed window', { 'GAP-RATE-WINDOW': 'fixed' }],
  [60, 'a token bucket', { 'GAP-RATE-WINDOW': 'bucket', 'GAP-RATE-HEADERS': 'ratelimit' }],
])('a key of which %i requests are used, with %s', async ([used, , interpretations]) => {
  await using simulator = await createSimulator({ interpretations })
  const { state, keys, clock } = simulator.tenant
  const subject = state.rules.rateSubject(state.apiKeys.get(keys.main)!)
  for (let i = 0; i < used; i++) state.rates.spend(subject, state.rules.rate, clock.now())
  const target = simulatorTarget(simulator)
  const budgets = { ...target.budgets, requestsPerMinute: 45 }
  const change = { budgets, profile: 'smoke', optIn: ['writes'] } as const
  const run = await runSuite({ ...target, ...change }, { seed: 1 })
  expect([troubles(run), run.record.exitCode]).toEqual([[], 0])
})
