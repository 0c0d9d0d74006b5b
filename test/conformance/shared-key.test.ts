/** Others may use a key shortly before a run: no check is lost to the rate limit. */
import { expect, test } from 'vitest'
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { createSimulator, type SimulatorOptions } from '../../simulator/index.ts'
import { runSuite } from '../../suites/runner/drivers/server.ts'
import { troubles } from '../simulated-run.ts'

const ways: Readonly<Record<string, SimulatorOptions['interpretations']>> = {
  'a sliding window': {},
  'a fixed window': { 'GAP-RATE-WINDOW': 'fixed' },
  'a token bucket, and its reset in seconds from now': {
    'GAP-RATE-WINDOW': 'bucket',
    'GAP-RATE-HEADERS': 'ratelimit',
  },
}

for (const used of [22, 45, 60])
  test.for(Object.entries(ways))(`a key of which ${used} requests are used, with %s`, async ([, way]) => {
    const simulator = await createSimulator({ ...(way && { interpretations: way }) })
    try {
      const { state, keys, clock } = simulator.tenant
      const subject = state.rules.rateSubject(state.apiKeys.get(keys.main)!)
      for (let i = 0; i < used; i++) state.rates.spend(subject, state.rules.rate, clock.now())
      const target = simulatorTarget(simulator)
      const budgets = { ...target.budgets, requestsPerMinute: 45 }
      const run = await runSuite({ ...target, budgets, profile: 'smoke', optIn: ['writes'] }, { seed: 1 })
      expect([troubles(run), run.record.exitCode]).toEqual([[], 0])
    } finally {
      await simulator.close()
    }
  })
